#!/bin/sh
# gallery.sh MENISCUS [NAME...] -- runs the small scenes of docs/gallery.md and leaves one picture of each in docs/images/gallery.
# A line: scene, frame. About ten minutes on two cores.
set -eu
meniscus=$1
shift
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p docs/images/gallery
while read -r scene frame; do
    name=$(echo "$scene" | tr / -)
    case " $* " in "  " | *" $name "*) ;; *) continue ;; esac
    "$meniscus" run "scenes/$scene.yaml" -o "$work/$name" --preview --quiet --set 'camera.size=[640, 360]' >/dev/null
    cp "$work/$name/preview/frame_$frame.png" "docs/images/gallery/$name.png"
    echo "docs/images/gallery/$name.png"
    rm -rf "${work:?}/$name"
done <<'LIST'
akinci2013/crown-small 00022
akinci2013/cube-to-sphere-small 00050
akinci2013/wetting-small 00075
akinci2013/stream-small 00040
akinci2013/splitting-small 00050
akinci2013/plate-small 00040
akinci2013/rolling-drop-small 00018
wang2017/square-on-tablet-small 00110
wang2017/cube-into-water-small 00040
gissler2017/jet-vacuum-small 00017
gissler2017/jet-drag-small 00017
gissler2017/wiper-air 00008
gissler2017/wiper-small 00016
gissler2017/ship-small 00060
gissler2017/pendulum 00030
gissler2017/channel-air-small 00020
gissler2017/channel-simulated-small 00034
gissler2017/channel-boxes-small 00022
orthmann2013/detergent-drop-small 00015
orthmann2013/pan-small 00010
orthmann2013/cylinder-small 00030
orthmann2013/room-small 00020
orthmann2013/flood-small 00025
orthmann2013/soap-boat-small 00024
orthmann2013/soap-spreading-small 00010
jeske2023/double-droplet-small 00080
jeske2023/droplet-matrix-small 00040
jeske2023/droplet-matrix-maps-small 00040
jeske2023/sphere-adhesion-small 00050
jeske2023/water-bell-small 00036
jeske2023/fluid-chain-small 00024
jeske2023/faucet-small 00040
jeske2023/catenoid-small 00060
jeske2023/droplet-toy-small 00040
orthmann2013/surface-band 00004
gissler2017/cannon-ball-small 00013
gissler2017/figure-small 00060
gissler2017/tyre-small 00008
LIST
