#!/bin/sh
# `meniscus view`: its server, spoken to over plain sockets (view_check.py).
. "$(dirname "$0")/lib.sh"
exits_code=0
"$MENISCUS" view --no-browser --port 70000 >/dev/null 2>&1 || exits_code=$?
[ "$exits_code" -ne 1 ] || { skip "this program was built without civetweb: no viewer"; finish; }
python3 "$(dirname "$0")/view_check.py" "$MENISCUS" "$work"
