#!/bin/sh
# text_of.sh FILE -- a source file as C string literals, for compilers that are called at run time.
set -eu
printf '"#line 1 \\"%s\\"\\n"\n' "${1##*/}"
sed -e 's/\\/\\\\/g' -e 's/"/\\"/g' -e 's/.*/"&\\n"/' "$1"
