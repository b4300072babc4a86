#!/bin/sh
# What the keys of a scene file promise, seen in the frames and tables of short runs.
. "$(dirname "$0")/lib.sh"
exec python3 "$(dirname "$0")/scene_keys.py" "$MENISCUS" "$work"
