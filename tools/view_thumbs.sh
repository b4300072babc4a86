#!/bin/sh
# view_thumbs.sh: pictures of the scenes for the page of `meniscus view`, from those of the gallery; needs ImageMagick.
# Of a picture with several tiles (640 or 480 pixels wide, 6 apart) the last of the first row is taken.
set -eu
cd "$(dirname "$0")/.."
im=$(command -v convert-im6.q16 || command -v convert)
size=$(command -v identify-im6.q16 || command -v identify)
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
    "$im" "$picture" -crop "${width}x$height+$(($1 - width))+0" +repage -resize '320x180^' -gravity center \
        -extent 320x180 -quality 80 -strip "view/thumbs/$suite-$name.jpg"
done
