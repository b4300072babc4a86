#!/bin/sh
# Progress: on a terminal one line that is rewritten and holds every number even in 80 columns; elsewhere plain lines.
. "$(dirname "$0")/lib.sh"
cat >"$work/terminal.py" <<'PYTHON'
import fcntl, os, pty, re, struct, sys, termios
columns, command = int(sys.argv[1]), sys.argv[2:]
child, fd = pty.fork()
if child == 0:
    os.environ["TERM"] = "xterm"
    fcntl.ioctl(2, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    os.execv(command[0], command)
seen = b""
while True:
    try:
        piece = os.read(fd, 65536)
    except OSError:
        break
    if not piece:
        break
    seen += piece
assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0, seen.decode()
lines = [line for line in seen.decode().replace("\n", "\r").split("\r") if "step " in line and " dt " in line]
assert lines, "no progress seen: " + seen.decode()
assert max(map(len, lines)) < columns, lines
for line in lines:
    assert re.search(r"/20 s +step \d+ +1,000 p.* dt \S+ ms +it\S* \d+\+\d+ +\S+ (k |M )?p\S*/s +left \S+", line), line
PYTHON
if ! python3 -c 'import pty; pty.openpty()' 2>/dev/null; then
    skip "lines on a terminal: there are no pseudo terminals here"
    set --
else
    set -- 80 200
fi
for columns in "$@"; do
    check "numbers in $columns columns" python3 "$work/terminal.py" $columns "$MENISCUS" run "$work/small.yaml" \
        -o "$work/run$columns" --set time.end=20 --set output.every=0 --set checkpoint.every=0 --steps 1500
done
exits 0 "not on a terminal" "$MENISCUS" run "$work/small.yaml" -o "$work/plain" --steps 3
check "plain lines" sh -c '! grep -q "$(printf "\r")" "$1" && grep -q "step 0  1,000 particles" "$1"' - "$work/stderr"
finish
