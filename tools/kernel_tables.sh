#!/bin/sh
# kernel_tables.sh KERNEL_DIR OUT_DIR -- derives from the kernel files what would otherwise be listed twice. These are
# the headers in KERNEL_DIR and its folders, and the file kernel.h of each folder beside it.
#   kernel_files.h   #include lines in reading order: each file after those that its line "needs: a.h b.h" names, and
#                    after each pair model the loop that makes kernels of it (pair_loop.h)
#   kernel_list.h    KERNEL_ENTRY(name) for every KERNEL(name) and BRANCHING_KERNEL(name), and for those of pair models
#   *_lanes.h        the same without the BRANCHING_KERNELs, which have no neighbours and run one by one
#   kernel_fields.h  FIELD_ENTRY(type, name, unit, life, copies, at, meaning) for every field that an OWNS line
#                    registers; a FIELDS line that names another, or another type, ends the build
#   kernel_params.h  the files *_params.h with the blocks of parts, and PART_PARAMS(X), which names them; the *_PARAMS
#                    and *_CONSTANTS of models, one struct of floats for each, and MODEL_PARAMS(X)
#   kernel_pairs.h   of each pair model its READS line, what it knows of a particle, and the FIELDS of its kernels
#   kernel_text.h    all of it as C strings for the OpenCL compiler
set -eu
dir=$1
out=$2
cd "$dir"
# Each file after those that it needs, else by name. Files are needed by their name without the folder.
order=$(awk '
    FNR == 1 {
        name[++files] = FILENAME
        short = FILENAME
        if (short !~ /^\.\./) sub(/.*\//, "", short)
        if (short in there) {
            printf "%s: %s has the same name\n", FILENAME, there[short] > "/dev/stderr"
            bad = 1
            exit 1
        }
        there[short] = FILENAME
    }
    /^\/\* needs: / { sub(/^\/\* needs: /, ""); sub(/ *\*\/.*/, ""); needs[FILENAME] = $0; line[FILENAME] = FNR }
    function put(file,    word, words, k) {
        if (state[file] == 2) return
        if (state[file] == 1) { print file ": files need each other" > "/dev/stderr"; bad = 1; exit 1 }
        state[file] = 1
        words = split(needs[file], word, / +/)
        for (k = 1; k <= words; k++) {
            if (!(word[k] in there)) {
                printf "%s:%d: needs \"%s\", which is not a kernel file\n", file, line[file], word[k] > "/dev/stderr"
                bad = 1
                exit 1
            }
            put(there[word[k]])
        }
        state[file] = 2
        print file
    }
    END { if (bad) exit 1; for (k = 1; k <= files; k++) put(name[k]) }' \
    $(ls *.h */*.h ../*/kernel.h 2>/dev/null | grep -v -e '^port' -e '^pair_loop.h' -e '_params\.h$' |
        sed 's,\(.*/\)*,& ,' | LC_ALL=C sort -k 2 | tr -d ' '))
single="" # files of BRANCHING_KERNELs
lanes=""
for f in $order; do
    if grep -q '^BRANCHING_KERNEL(' "$f"; then
        single="$single $f"
        if line=$(grep -n '^KERNEL(\|FOR_[A-Z]*(' "$f"); then
            echo "$f:${line%%:*}: a file with a BRANCHING_KERNEL has no KERNEL and no loop over neighbours" >&2
            exit 1
        fi
    else lanes="$lanes $f"; fi
done

put() { # replace only when changed, so that nothing is rebuilt in vain
    if [ -f "$out/$1" ] && cmp -s "$out/$1.new" "$out/$1"; then
        rm "$out/$1.new"
        touch "$out/$1"
    else
        mv "$out/$1.new" "$out/$1"
    fi
}

# Models that are their equation (pair.h).
pair_models() { sed -n 's/^PAIR_[A-Z]*(\([a-z0-9_]*\),.*/\1/p' "$@"; }
block_of() { # MODEL FILE...: the name of its block of parameters
    model=$1
    shift
    block=$(sed -n "s/^#define ${model}_BLOCK \([a-z0-9_]*\).*/\1/p" "$@")
    echo "${block:-$model}"
}
loop_begin() { # FILE MODEL: what pair_loop.h is read with
    place=$(sed -n "s/^#define $2_PLACE \([a-z0-9_]*\).*/\1/p" "$1")
    walls=$(grep -c "^WALL_[A-Z]*($2," "$1" || true)
    printf '#define MODEL %s\n#define MODEL_BLOCK %s\n' "$2" "$(block_of "$2" "$1")"
    printf '#define MODEL_PLACE %s\n#define MODEL_WALLS %s\n' "${place:-pos}" "$walls"
}
loop_end() { printf '#undef %s\n' MODEL MODEL_BLOCK MODEL_PLACE MODEL_WALLS; }

tables() { # SUFFIX FILE...
    end=$1
    shift
    for f in "$@"; do
        printf '#include "kernels/%s"\n' "$f"
        if [ "$f" = pair.h ]; then echo '#include "kernel_pairs.h"'; fi
        for m in $(pair_models "$f"); do
            loop_begin "$f" "$m"
            echo '#include "kernels/pair_loop.h"'
            loop_end
        done
    done > "$out/kernel_files$end.h.new"
    put "kernel_files$end.h"
    sed -n -e 's/^\(BRANCHING_\)\{0,1\}KERNEL(\([a-z0-9_]*\)).*/KERNEL_ENTRY(\2)/p' \
        -e 's/^PAIR_[A-Z]*(\([a-z0-9_]*\),.*/KERNEL_ENTRY(\1)/p' \
        -e 's/^WALL_[A-Z]*(\([a-z0-9_]*\),.*/KERNEL_ENTRY(\1_on_boundary)/p' "$@" > "$out/kernel_list$end.h.new"
    put "kernel_list$end.h"
}
# shellcheck disable=SC2086 # lists of words
tables "" $order
# shellcheck disable=SC2086
tables _lanes $lanes

# Every field that a FIELDS line names must be registered, once, with the same type.
# shellcheck disable=SC2086
awk '
    function wrong(place, field, what) { printf "%s: field \"%s\" %s\n", place, field, what; bad = 1 }
    function take(text, head,    part) { # what stands between the head and the next comma or bracket
        sub(head, "", text)
        split(text, part, /[,)]/)
        gsub(/ /, "", part[1])
        return part[1]
    }
    /^ *F\([a-z]/ {
        name = take($0, "^ *F\\("); type = take($0, "^[^,]*,")
        if (name in types)
            wrong(FILENAME ":" FNR, name, "is registered twice, the first time in " owner[name])
        types[name] = type; owner[name] = FILENAME
    }
    {
        for (rest = $0; match(rest, /X\([A-Z_]+, *[a-z0-9]+, *[a-z0-9_]+\)/); rest = substr(rest, RSTART + RLENGTH)) {
            split(substr(rest, RSTART + 2, RLENGTH - 3), part, /, */)
            use[++uses] = part[3]; as[uses] = part[2]; at[uses] = FILENAME ":" FNR
        }
    }
    END {
        for (u = 1; u <= uses; u++) {
            f = use[u]
            if (!(f in types))
                wrong(at[u], f, "is not registered; the file that owns it needs F(" f ", " as[u] ", ...) in its OWNS")
            else if (types[f] != as[u]) wrong(at[u], f, "is " as[u] " here, but " types[f] " in " owner[f])
        }
        exit bad
    }' $order >&2
# shellcheck disable=SC2086
sed -n 's/^ *F(\([a-z0-9_]*\), \([a-z0-9]*\), \(.*)\) *\\\{0,1\}$/FIELD_ENTRY(\2, \1, \3/p' $order | LC_ALL=C sort \
    > "$out/kernel_fields.h.new"
put kernel_fields.h

blocks() { # ENDING FILE...: the #define lines of that ending
    ending=$1
    shift
    awk -v head="^#define [a-z0-9_]+$ending" '$0 ~ head { on = 1 } on { print; if ($0 !~ /\\$/) on = 0 }' "$@"
}

# shellcheck disable=SC2086
{
    part_files=$(ls */*_params.h)
    cat $part_files
    printf '#define PART_PARAMS(X)'
    for part in $(sed -n 's/^} \([a-z0-9_]*\)_params;$/\1/p' $part_files); do printf ' X(%s)' "$part"; done
    echo
    blocks '_PARAMS\\(P\\)' $order
    echo '#define PARAM_MEMBER(key, value, unit, low, high, help) float key;'
    names=$(sed -n 's/^#define \([a-z0-9_]*\)_PARAMS(P).*/\1/p' $order)
    for m in $names; do
        printf 'typedef struct %s_params { float on; %s_PARAMS(PARAM_MEMBER) } %s_params;\n' "$m" "$m" "$m"
    done
    blocks '_CONSTANTS\\(C\\)' $order
    echo '#define CONSTANT_MEMBER(name, meaning) float name;'
    constants=$(sed -n 's/^#define \([a-z0-9_]*\)_CONSTANTS(C).*/\1/p' $order)
    for m in $constants; do
        printf 'typedef struct %s_constants { %s_CONSTANTS(CONSTANT_MEMBER) } %s_constants;\n' "$m" "$m" "$m"
    done
    echo 'typedef struct model_constants {'
    for m in $constants; do printf '    %s_constants %s;\n' "$m" "$m"; done
    echo '} model_constants;'
    printf '#define MODEL_PARAMS(X)'
    for m in $names; do printf ' X(%s)' "$m"; done
    echo
} > "$out/kernel_params.h.new"
put kernel_params.h

# shellcheck disable=SC2086
{
    blocks '_READS\\(X\\)' $lanes
    for m in $(pair_models $lanes); do
        printf 'typedef struct %s_particle {\n    PARTICLE_MEMBERS ' "$m"
        printf '%s_READS(MEMBER_OF_READ) %s_PARAMS(MEMBER_OF_PARAM)\n} %s_particle;\n' \
            "$m" "$(block_of "$m" $lanes)" "$m"
        printf 'typedef struct %s_fields {\n    PAIR_FIELDS(POINTER_MEMBER) %s_READS(POINTER_MEMBER)\n} %s_fields;\n' \
            "$m" "$m" "$m"
        printf '#define %s_FIELDS(X) PAIR_FIELDS(X) %s_READS(X) X(CHANGES, real4, acc)\n' "$m" "$m"
        printf '#define %s_on_boundary_FIELDS(X) PAIR_FIELDS(X) %s_READS(X) X(CHANGES, real4, boundary_force)\n' \
            "$m" "$m"
    done
} > "$out/kernel_pairs.h.new"
put kernel_pairs.h

as_text() { # FILE: as C strings
    printf '"#line 1 \\"%s\\"\\n"\n' "${1##*/}"
    sed -e '/^#include/d' -e 's/\\/\\\\/g' -e 's/"/\\"/g' -e 's/.*/"&\\n"/' "$1"
}
{
    awk -v params="$out/kernel_params.h" '/^#include "kernel_params.h"/ {
        while ((getline line < params) > 0) print line
        next
    } { print }' port.h > "$out/port.h"
    as_text "$out/port.h"
    rm -f "$out/port.h"
    for f in $order; do
        as_text "$f"
        if [ "$f" = pair.h ]; then as_text "$out/kernel_pairs.h"; fi
        for m in $(pair_models "$f"); do
            { loop_begin "$f" "$m"; cat pair_loop.h; loop_end; } > "$out/loop.new"
            as_text "$out/loop.new"
        done
    done
    rm -f "$out/loop.new"
    as_text "$out/kernel_list.h"
} > "$out/kernel_text.h.new"
put kernel_text.h
