#!/bin/sh
# view_assets.sh DIST THUMBS: the files of the page as C, on standard output; the assembler takes the bytes as they are.
set -eu

kind() {
    case "$1" in
        *.html) echo "text/html; charset=utf-8" ;;
        *.js) echo "text/javascript; charset=utf-8" ;;
        *.css) echo "text/css; charset=utf-8" ;;
        *.svg) echo "image/svg+xml" ;;
        *.jpg) echo "image/jpeg" ;;
        *) echo "application/octet-stream" ;;
    esac
}

list=""
number=0
echo '/* Made by tools/view_assets.sh. */'
echo '#include <string.h>'
echo '#include "view/assets.h"'
for file in "$1"/* "$2"/*; do
    [ -f "$file" ] || continue
    case "$file" in
        "$2"/*) path="/thumbs/$(basename "$file")" ;;
        *) path="/$(basename "$file")" ;;
    esac
    symbol="mn_asset_$number"
    printf '__asm__(".section .rodata\\n.hidden %s\\n.global %s\\n.balign 16\\n%s:\\n.incbin \\"%s\\"\\n' "$symbol" \
        "$symbol" "$symbol" "$file"
    printf '.hidden %s_end\\n.global %s_end\\n%s_end:\\n.byte 0\\n.previous\\n");\n' "$symbol" "$symbol" "$symbol"
    printf 'extern const unsigned char %s[], %s_end[];\n' "$symbol" "$symbol"
    list="$list$path|$(kind "$file")|$symbol
"
    number=$((number + 1))
done
echo 'const mn_asset *mn_asset_find(const char *path)'
echo '{'
echo '    static const struct {'
echo '        const char *path, *type;'
echo '        const unsigned char *data, *end;'
echo '    } all[] = {'
printf '%s' "$list" | while IFS='|' read -r path type symbol; do
    printf '        {"%s", "%s", %s, %s_end},\n' "$path" "$type" "$symbol" "$symbol"
done
echo '    };'
echo '    static _Thread_local mn_asset one;'
echo '    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {'
echo '        if (strcmp(all[i].path, path) != 0) continue;'
echo '        one = (mn_asset){all[i].path, all[i].type, all[i].data, (size_t)(all[i].end - all[i].data), 1};'
echo '        return &one;'
echo '    }'
echo '    return NULL;'
echo '}'
