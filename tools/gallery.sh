#!/bin/sh
# gallery.sh MENISCUS [NAME...] -- runs the small scenes of docs/gallery.md and leaves one picture of each in docs/images/gallery.
# A line: scene, frame, size if not 640,360 (which would be too large a file); or, for a comparison, its name, columns, and scene:frame of each of its pictures (needs ffmpeg). About half an hour on two cores.
set -eu
meniscus=$1
shift
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p docs/images/gallery

# picture SCENE FRAME SIZE FILE; several pictures of one scene in a row are from one run
done=
picture() {
    [ "$done" = "$1 $3" ] || "$meniscus" run "scenes/$1.yaml" -o "$work/run" --overwrite --preview --quiet --set "camera.size=$3" >/dev/null
    done="$1 $3"
    cp "$work/run/preview/frame_$2.png" "$4"
}

# montage FILE COLUMNS SCENE:FRAME...
montage() {
    file=$1 columns=$2 count=0
    shift 2
    rm -f "$work"/tile*.png
    for tile; do
        count=$((count + 1))
        picture "${tile%:*}" "${tile#*:}" '[400, 225]' "$work/tile$count.png"
    done
    ffmpeg -nostdin -loglevel error -y -i "$work/tile%d.png" -vf "tile=${columns}x$(((count + columns - 1) / columns)):color=white,palettegen=max_colors=160" "$work/palette.png"
    ffmpeg -nostdin -loglevel error -y -i "$work/tile%d.png" -i "$work/palette.png" \
        -lavfi "[0]tile=${columns}x$(((count + columns - 1) / columns)):color=white[all];[all][1]paletteuse=dither=none" -frames:v 1 "$file"
}

while read -r scene frame tiles; do
    name=$(echo "$scene" | tr / -)
    case " $* " in "  " | *" $name "*) ;; *) continue ;; esac
    # shellcheck disable=SC2086 # a list of words
    case $tiles in
        *:*) montage "docs/images/gallery/$name.png" "$frame" $tiles ;;
        *) picture "$scene" "$frame" "[${tiles:-640,360}]" "docs/images/gallery/$name.png" ;;
    esac
    echo "docs/images/gallery/$name.png"
done <<'LIST'
wang2017/tablet 3 wang2017/square-on-tablet-none-small:00110 wang2017/square-on-tablet-akinci2013-small:00110 wang2017/square-on-tablet-small:00110
wang2017/cube 3 wang2017/cube-into-water-none-small:00018 wang2017/cube-into-water-akinci2013-small:00018 wang2017/cube-into-water-small:00018
wang2017/board 3 wang2017/board-none-small:00040 wang2017/board-akinci2013-small:00040 wang2017/board-small:00040
jeske2023/methods 3 jeske2023/double-droplet:00040 jeske2023/double-droplet-weak:00040 jeske2023/double-droplet-akinci2013:00040 jeske2023/double-droplet-becker2007:00040 jeske2023/double-droplet-he2014:00040 jeske2023/double-droplet-zorilla2020:00040
jeske2023/crowns 3 jeske2023/crown-jeske2023-small:00010 jeske2023/crown-akinci2013-small:00010 jeske2023/crown-becker2007-small:00010 jeske2023/crown-he2014-small:00010 jeske2023/crown-zorilla2020-small:00010
jeske2023/stability 3 jeske2023/sphere-stability-implicit-small:00060 jeske2023/sphere-stability-strong-small:00060 jeske2023/sphere-stability-explicit-small:00060
akinci2013/cubes 3 akinci2013/cube-to-sphere-small:00100 akinci2013/cube-to-sphere-becker2007-small:00100 akinci2013/cube-to-sphere-tartakovsky2005-small:00100
jeske2023/crown-fingers 00012 480,300
jeske2023/double-droplet-impact-small 00080
jeske2023/viscosity-small 00005
jeske2023/bubbles-two-small 00024
jeske2023/bubbles-small 00006
akinci2013/crown-small 00022
akinci2013/cube-to-sphere-small 00050
akinci2013/wetting-small 00075
akinci2013/stream-small 00040
akinci2013/splitting-small 00050
akinci2013/plate-small 00040
akinci2013/rolling-drop-small 00018 560,315
wang2017/cube-into-water-small 00040
gissler2017/jet-vacuum-small 00017
gissler2017/jet-drag-small 00017
gissler2017/jet-two-phase-small 00017
gissler2017/wiper-air 00008
gissler2017/wiper-small 00016
gissler2017/ship-small 00060
gissler2017/pendulum 00030
gissler2017/channel-air-small 00020
gissler2017/channel-simulated-small 00034
gissler2017/channel-boxes-small 00022
orthmann2013/detergent-drops 3 orthmann2013/detergent-drop-none-small:00015 orthmann2013/detergent-drop-local-small:00015 orthmann2013/detergent-drop-small:00015
orthmann2013/pan-small 00010
orthmann2013/cylinder-small 00030 480,270
orthmann2013/room-small 00020 480,270
orthmann2013/flood-small 00025
orthmann2013/soap-boat-small 00009
orthmann2013/soap-boat-open 3 orthmann2013/soap-boat-open-small:00001 orthmann2013/soap-boat-open-small:00003 orthmann2013/soap-boat-open-small:00005
orthmann2013/soap-spreading 3 orthmann2013/soap-spreading-small:00001 orthmann2013/soap-spreading-small:00006 orthmann2013/soap-spreading-small:00020
orthmann2013/tears-of-wine-small 00008
jeske2023/droplet-matrix-small 00040
jeske2023/droplet-matrix-maps-small 00040
jeske2023/sphere-adhesion 00060
jeske2023/water-bell-small 00020
jeske2023/fluid-chain-small 00024
jeske2023/faucet-small 00040
jeske2023/catenoids 3 jeske2023/catenoid:00014 jeske2023/catenoid:00034 jeske2023/catenoid:00050 jeske2023/catenoid:00064 jeske2023/catenoid:00070 jeske2023/catenoid:00088
jeske2023/droplet-toy-small 00040
orthmann2013/surface-band 00004
gissler2017/cannon-ball-small 00013
gissler2017/figure-small 00060
gissler2017/tyre-small 00008
LIST
