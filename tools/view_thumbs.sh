#!/bin/bash
# view_thumbs.sh [MENISCUS]: pictures of the scenes for the page of `meniscus view`, from those of the gallery; needs
# ImageMagick. Of a picture with several tiles (640 or 480 pixels wide, 6 apart) the last of the first row is taken, or
# the one that the table below names. With MENISCUS, scenes that the gallery does not show are run and rendered too.
set -eu
meniscus=${1:-}
cd "$(dirname "$0")/.."
im=$(command -v convert-im6.q16 || command -v convert)
size=$(command -v identify-im6.q16 || command -v identify)

# thumb PICTURE WIDTHxHEIGHT+X+Y NAME: that part of it. What is much taller or wider than the thumb is shown whole, the
# background drawn out to the sides.
thumb() {
    local part=${2%%+*} fit='320x180^'
    local wide=${part%x*} high=${part#*x}
    [ $((10 * wide)) -gt $((9 * high)) ] && [ $((5 * wide)) -lt $((12 * high)) ] || fit=320x180
    "$im" "$1" -crop "$2" +repage -resize "$fit" -virtual-pixel Edge -set option:distort:viewport \
        '320x180+%[fx:(w-320)/2]+%[fx:(h-180)/2]' -distort SRT 0 +repage -quality 80 -strip "view/thumbs/$3.jpg"
}

for scene in scenes/*/*.yaml; do
    suite=$(basename "$(dirname "$scene")")
    name=$(basename "$scene" .yaml)
    name=${name%-small}
    picture=docs/images/gallery/$suite-$name-small.png
    [ -f "$picture" ] || picture=docs/images/gallery/$suite-$name.png
    [ -f "$picture" ] || continue
    # shellcheck disable=SC2046 # two numbers
    set -- $("$size" -format '%w %h' "$picture")
    width=$1 height=$2
    for tile in 640 480; do
        [ $((($1 + 6) % (tile + 6))) -ne 0 ] || { width=$tile; break; }
    done
    [ $((($2 + 6) % 366)) -ne 0 ] || height=360
    thumb "$picture" "${width}x$height+$(($1 - width))+0" "$suite-$name"
done

# Scene, picture, columns and rows of its tiles, and the place of the tile.
while read -r name picture columns rows column row; do
    picture=docs/images/gallery/$picture.png
    # shellcheck disable=SC2046 # two numbers
    set -- $("$size" -format '%w %h' "$picture")
    width=$((($1 + 6) / columns - 6)) height=$((($2 + 6) / rows - 6))
    thumb "$picture" "${width}x$height+$((column * (width + 6)))+$((row * (height + 6)))" "$name"
done <<'TABLE'
akinci2013-crown-cohesion akinci2013-crowns 2 1 1 0
akinci2013-cube-to-sphere-becker2007 akinci2013-cubes 3 1 1 0
akinci2013-cube-to-sphere-tartakovsky2005 akinci2013-cubes 3 1 2 0
gissler2017-tyre gissler2017-tyre-small 1 2 0 0
gissler2017-waves gissler2017-waves 3 2 2 1
wang2017-square-on-tablet-none wang2017-tablet 3 1 0 0
wang2017-square-on-tablet-akinci2013 wang2017-tablet 3 1 1 0
wang2017-square-on-tablet wang2017-tablet 3 1 2 0
wang2017-board-none wang2017-board 3 1 0 0
wang2017-board-akinci2013 wang2017-board 3 1 1 0
wang2017-cube-into-water-none wang2017-cube-into-water-small 3 1 0 0
wang2017-cube-into-water-akinci2013 wang2017-cube-into-water-small 3 1 1 0
jeske2023-crown-jeske2023 jeske2023-crowns 4 1 0 0
jeske2023-crown-akinci2013 jeske2023-crowns 4 1 1 0
jeske2023-crown-becker2007 jeske2023-crowns 4 1 2 0
jeske2023-crown-zorilla2020 jeske2023-crowns 4 1 3 0
jeske2023-cube-to-sphere-jeske2023 jeske2023-stability 3 3 1 0
jeske2023-double-droplet jeske2023-methods 3 2 0 0
jeske2023-double-droplet-weak jeske2023-methods 3 2 1 0
jeske2023-double-droplet-akinci2013 jeske2023-methods 3 2 2 0
jeske2023-double-droplet-becker2007 jeske2023-methods 3 2 0 1
jeske2023-double-droplet-he2014 jeske2023-methods 3 2 1 1
jeske2023-double-droplet-zorilla2020 jeske2023-methods 3 2 2 1
jeske2023-double-droplet-impact-weak jeske2023-impacts 3 2 1 0
jeske2023-double-droplet-impact-akinci2013 jeske2023-impacts 3 2 2 0
jeske2023-double-droplet-impact-becker2007 jeske2023-impacts 3 2 0 1
jeske2023-double-droplet-impact-he2014 jeske2023-impacts 3 2 1 1
jeske2023-double-droplet-impact-zorilla2020 jeske2023-impacts 3 2 2 1
jeske2023-sphere-adhesion jeske2023-sphere-adhesion 4 1 1 0
jeske2023-sphere-stability-implicit jeske2023-stability 3 3 1 0
jeske2023-sphere-stability-strong jeske2023-stability 3 3 1 1
jeske2023-sphere-stability-explicit jeske2023-stability 3 3 1 2
jeske2023-catenoid jeske2023-catenoids 3 2 0 1
jeske2023-droplet-toy jeske2023-droplet-toy-small 6 1 3 0
akinci2013-wetting akinci2013-wetting 1 3 0 2
gissler2017-jet-vacuum gissler2017-jets 3 1 0 0
gissler2017-jet-drag gissler2017-jets 3 1 1 0
gissler2017-jet-two-phase gissler2017-jets 3 1 2 0
gissler2017-pendulum gissler2017-pendulum 6 1 1 0
laplace-capillary-rise laplace-capillary-rise 2 1 1 0
laplace-climbing-drop laplace-climbing-drop 3 1 1 0
laplace-windshield laplace-windshield 2 1 0 0
orthmann2013-detergent-drop-none orthmann2013-detergent-drops 3 1 0 0
orthmann2013-detergent-drop-local orthmann2013-detergent-drops 3 1 1 0
orthmann2013-detergent-drop orthmann2013-detergent-drops 3 1 2 0
TABLE

# Scene, moment, and how it is looked at.
suites() { # of scenes that have no picture yet
    while read -r suite scene; do cp "view/thumbs/$suite-$scene.jpg" "view/thumbs/$suite.jpg"; done <<'SUITES'
akinci2013 crown
basics dam
wang2017 board
gissler2017 ship
orthmann2013 detergent-drop
jeske2023 crown-jeske2023
laplace windshield
SUITES
}
suites
[ -n "$meniscus" ] || exit 0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
while read -r scene moment looks; do
    name=${scene/\//-}
    name=${name%-[23]0*} # one for dams, and for cubes, of all sizes
    words=(--set camera.caption=false)
    for look in $looks; do words+=(--set "camera.$look"); done
    echo "$scene"
    "$meniscus" run "scenes/$scene.yaml" -o "$work/$name" -q --until "$moment" --set "output.every=$moment"
    "$meniscus" render "$work/$name" -o "$work/$name" -q --frames 1 --size 640x360 "${words[@]}"
    thumb "$work/$name/frame_00001.png" 640x360+0+0 "$name"
done <<'SCENES'
basics/couette 0.3 look=field colour=speed
basics/poiseuille 0.3 look=field colour=speed
basics/layer 0.5 look=water
basics/buoyancy 0.3 look=water
basics/cantilever 0.3 look=water
basics/floating-box 0.3 look=water
basics/sloshing 1 look=water
basics/hydrostatic 0.2 look=field colour=pressure
basics/hydrostatic-tank 0.2 look=water
basics/tank 0.3 look=water
basics/martin-moyce 0.15 look=water
basics/dam-30k 0.4 look=water
gissler2017/falling-drop 0.05 look=water eye=[0.1,-0.01,0.05] target=[0.1,-0.0123,0] fov=14
jeske2023/cube-20 0.01 look=water
SCENES
