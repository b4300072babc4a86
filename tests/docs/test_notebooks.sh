#!/bin/sh
# The notebooks of docs/notebooks are executed from the first cell to the last: by nbclient where it is there, else
# their cells as a program.
. "$(dirname "$0")/../cli/lib.sh"
root=$(cd "$(dirname "$0")/../.." && pwd)
find_python "the notebooks"
MENISCUS=$tree/meniscus MENISCUS_LIBRARY=$tree/libmeniscus.so.0 OMP_WAIT_POLICY=passive PYTHONPATH=$root/python
export MENISCUS MENISCUS_LIBRARY OMP_WAIT_POLICY PYTHONPATH

cat >"$work/execute.py" <<'PYTHON'
import json
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    cells = json.load(file)["cells"]
try:
    import ipykernel  # noqa: F401
    import nbclient
    import nbformat
except ImportError:
    space = {"__name__": "__main__"}
    for cell in cells:
        if cell["cell_type"] == "code":
            exec("".join(cell["source"]), space)
else:
    nbclient.NotebookClient(nbformat.read(sys.argv[1], as_version=4), timeout=200, kernel_name="python3").execute()
print(sum(cell["cell_type"] == "code" for cell in cells), "cells")
PYTHON
for notebook in "$root"/docs/notebooks/*.ipynb; do
    exits 0 "$(basename "$notebook")" env -C "$work" "$python" execute.py "$notebook"
done
check "there are notebooks" test "$(ls "$root"/docs/notebooks/*.ipynb | wc -l)" -ge 4
finish
