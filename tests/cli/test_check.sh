#!/bin/sh
# What `check` and the beginning of a run refuse or warn of before anything takes time or memory.
. "$(dirname "$0")/lib.sh"

# scene NAME FLUID MORE: one fluid in $work/NAME.yaml, and the rest.
scene() {
    printf 'particles: {spacing: 0.05}\ntime: {end: 0.1}\nfluids:\n  - {%s}\n%s\n' "$2" "$3" >"$work/$1.yaml"
}
block='shapes: [{box: {min: [0.1, 0.1, 0.1], max: [0.4, 0.4, 0.4]}}]'

# More particles than any machine holds: numbers at once, not after a minute of sampling.
scene huge 'shapes: [{box: {min: [0, 0, 0], max: [38, 38, 38]}}]' ''
for command in check "run -o $work/huge"; do
    exits 1 "${command%% *} refuses what cannot fit" timeout 20 sh \
        -c "ulimit -v 4000000; '$MENISCUS' $command '$work/huge.yaml'"
    says "needs at least 132 GB, and this machine has 4.1 GB: 132 GB for" "says what they need and what there is"
    says "4.1 GB: 132 GB for about 4.39e+08 fluid particles (300 bytes each)" "and how many they are"
done
check "without a folder" test ! -e "$work/huge/stats.csv"

scene thread "$block" 'walls: [{shapes: [{box: {size: [0.002, 0.001, 1000000]}}]}]'
exits 1 "a wall as thin as a thread that cannot fit" timeout 20 sh \
    -c "ulimit -v 4000000; '$MENISCUS' check '$work/thread.yaml'"
says "11.5 GB for about 8.24e+07 boundary points of walls and bodies (140 bytes each)" "counts the rows along its edges"

# All that takes memory counts: species, soft solids, volume maps, grids of output; emitters, later.
scene parts 'shapes: [{box: {min: [0, 0, 0], max: [8, 8, 8]}}]' 'species: [{name: salt}, {name: soap}]
solids: [{density: 1000, young: 1e4, poisson: 0.3, spacing: 0.02,
  shapes: [{box: {size: [2.5, 2.5, 2.5], centre: [20, 0, 0]}}]}]
walls: [{method: volume_maps, map_spacing: 0.02, shapes: [{box: {size: [4, 8, 8], centre: [-20, 0, 0]}}]}]
output: {grid: {every: 1, min: [0, 0, 0], max: [9, 9, 9], spacing: 0.04}}'
exits 1 "parts that cannot fit together" timeout 20 sh -c "ulimit -v 3400000; '$MENISCUS' check '$work/parts.yaml'"
for need in "4.1e+06 fluid particles (332 bytes each)" "1.95e+06 particles of soft solids (940 bytes each)" \
    "nodes of volume maps (40 bytes each)" "1.15e+07 nodes of output.grid (32 bytes each)"; do
    says "$need" "counts $need"
done
scene tap "$block, emitters: [{disc: {radius: 0.5}, position: [0, 3, 0], direction: [0, -1, 0],
  speed: 10, limit: 20000000}]" ''
exits 0 "an emitter that could fill the memory" timeout 20 sh \
    -c "ulimit -v 4000000; '$MENISCUS' check '$work/tap.yaml' --set time.end=100000"
says "about 2e+07 particles are added until 100000 s; if they all stay, the scene needs at least 6 GB" "a warning"
says "at least 6 GB, and this machine has 4.1 GB" "with what there is"

# Files that are pipes, into which nothing is written.
mkfifo "$work/pipe.obj" "$work/pipe.vti"
scene mesh "$block" 'walls: [{shapes: [{mesh: {file: pipe.obj}}]}]'
exits 2 "a mesh that is a pipe" timeout 20 "$MENISCUS" check "$work/mesh.yaml"
says "is not a file" "says what it is"
scene grid "$block" 'air: {grid: {file: pipe.vti}}'
exits 2 "a grid of air that is a pipe" timeout 20 "$MENISCUS" check "$work/grid.yaml"
says "is not a file" "says what it is"

# A body longer than the period.
domain='domain: {min: [0, 0, 0], max: [1, 1, 1], periodic: [x]}'
scene long "$block" "$domain
bodies: [{name: snake, density: 500,
  shapes: [{capsule: {centre: [0, 0.8, 0.5], axis: [1, 0, 0], radius: 0.1, height: 5}}]}]"
exits 2 "a body wrapped many times over a periodic axis" "$MENISCUS" check "$work/long.yaml"
says 'the body "snake" is 5.2 m long along x, on which the domain is periodic' "says how long"
scene ring 'shapes: [{box: {grid: [20, 4, 4], origin: [0.3, 0.3, 0.3]}}]' "$domain"
exits 0 "liquid as long as the period" "$MENISCUS" check "$work/ring.yaml"
check "is right" test "$(grep -c 'half a spacing' "$work/stderr")" -eq 0
exits 0 "liquid that is longer" "$MENISCUS" check "$work/ring.yaml" --set 'fluids.0.shapes.0.box.grid=[22, 4, 4]'
says "64 particles start closer than half a spacing to another (in the periodic domain)" "lies in itself: a warning"
exits 0 "liquid with a small gap too little" "$MENISCUS" check "$work/ring.yaml" \
    --set 'fluids.0.shapes=[{box: {grid: [2, 4, 4], origin: [0.01, 0.3, 0.3]}},
        {box: {grid: [2, 4, 4], origin: [0.94, 0.3, 0.3]}}]'
says "32 particles start closer than half a spacing to another" "across the face"
scene fits "$block" "$domain
bodies: [{name: rod, density: 500, shapes: [{box: {min: [0, 0.6, 0.4], max: [1, 0.8, 0.6]}}]}]"
exits 0 "one as long as the period is none" "$MENISCUS" check "$work/fits.yaml"

scene once "$block" 'pressure: {max_iterations: 1}'
exits 0 "one iteration at most, and no word of the least" "$MENISCUS" check "$work/once.yaml"

# What is too small to hold a particle is not called a fluid.
scene crumb "$block" 'solids: [{density: 1000, young: 1e4, poisson: 0.3,
  shapes: [{box: {min: [0.1, 0.8, 0.1], max: [0.12, 0.801, 0.12]}}]}]'
exits 2 "a solid too small for a particle" "$MENISCUS" check "$work/crumb.yaml"
says "the shapes are too small to hold a particle at a spacing of 0.05 m" "says so"
check "a solid is not called a fluid" test -z "$(grep 'of the fluid' "$work/stderr")"

# Far from the origin floats are coarse: liquid is disturbed, and beyond the cells of the search walls have no place.
scene far 'shapes: [{box: {min: [9000.1, 0.1, 0.1], max: [9000.4, 0.4, 0.4]}}]' ''
exits 0 "liquid far from the origin" "$MENISCUS" check "$work/far.yaml"
says "fluid starts as far as (9000.38, 0.125, 0.125), 1.8e+05 spacings from the origin" "warned of"
scene near 'shapes: [{box: {min: [2000.1, 0.1, 0.1], max: [2000.4, 0.4, 0.4]}}]' ''
exits 0 "2 km" "$MENISCUS" check "$work/near.yaml"
check "are not too far" test -z "$(grep 'from the origin' "$work/stderr")"
scene line "$block" 'walls: [{name: wire, shapes: [{cylinder: {radius: 1e-4, height: 1e6}}]}]'
exits 2 "a wall 1000 km long" timeout 20 "$MENISCUS" check "$work/line.yaml"
says "line.yaml:5:9: error: wall 'wire' reaches (0, -500000, 0); expected within 200000 m of the origin" "is refused"

# Bodies sampled finer than the liquid displace too much.
scene fine "$block" 'bodies: [{name: ball, density: 1300, spacing: 0.025, shapes: [{sphere: {radius: 0.1}}]}]'
exits 0 "a finely sampled body" "$MENISCUS" check "$work/fine.yaml"
says "the boundary points of 'ball' are 0.025 m apart, closer than the liquid's 0.05 m: it displaces about 1.4 times" \
    "how much it displaces"
exits 0 "a body sampled as the liquid" "$MENISCUS" check "$work/fine.yaml" --set bodies.ball.spacing=0.05
check "is not warned of" test -z "$(grep displaces "$work/stderr")"

# Fluid too close to meshes: how far, for a wall of points, one of maps, a body and a soft solid.
printf '%b' 'v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\n' \
    'f 1 4 3 2\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n' >"$work/cube.obj"
cube='shapes: [{mesh: {file: cube.obj, scale: 0.2, translate: [0.15, 0.395, 0.15]}}]'
scene close "$block" "walls: [{name: cube, $cube}]"
exits 0 "fluid close to a mesh" "$MENISCUS" check "$work/close.yaml"
says "to a wall and will be pushed out, for example one at (0.175, 0.375, 0.175), 0.4 spacings" "a wall of points"
says "(0.175, 0.375, 0.175), 0.4 spacings (0.02 m) away from 'cube'" "with its name"
exits 0 "fluid close to a mesh as volume map" "$MENISCUS" check "$work/close.yaml" --set walls.0.method=volume_maps
says "to a volume map and will be pushed out" "a wall of maps"
for what in "bodies: [{density: 500," "solids: [{density: 500, young: 1e4, poisson: 0.3,"; do
    scene close "$block" "$what spacing: 0.02, name: cube, $cube}]"
    exits 0 "fluid close to a mesh in ${what%%:*}" "$MENISCUS" check "$work/close.yaml"
    says "away from 'cube'; they rest at 1.1 spacings" "${what%%:*}"
done

# Shapes in number: the tool asks only those nearby, and says how far it is.
{
    printf 'particles: {spacing: 0.01}\ntime: {end: 0.1}\nfluids:\n'
    printf '  - shapes: [{box: {min: [0, 3, 0], max: [0.1, 3.1, 0.1]}}]\n'
    printf 'walls:\n  - method: volume_maps\n    shapes:\n'
    awk 'BEGIN { for (i = 0; i < 400; i++)
        printf "      - sphere: {centre: [%g, %g, %g], radius: 0.01}\n",
            i % 8 * 0.08, int(i / 8) % 8 * 0.08, int(i / 64) * 0.08 }'
} >"$work/many.yaml"
exits 0 "400 spheres as volume maps" timeout 120 "$MENISCUS" check "$work/many.yaml"

# The opening of an emitter in a wall.
scene flush 'emitters: [{disc: {radius: 0.2}, position: [0.5, 1, 0.5], direction: [0, -1, 0], speed: 1}]' \
    'walls: [{name: tank, shapes: [{box: {min: [0, 0, 0], max: [1, 1, 1], inside_out: true}}]}]'
exits 0 "an opening flush with the ceiling" "$MENISCUS" check "$work/flush.yaml"
says "this emitter's opening is at 'tank': 52 of 52 particles of a layer begin up to" "notes by how much it is moved"
exits 0 "an opening close to the floor" "$MENISCUS" check "$work/flush.yaml" \
    --set 'fluids.0.emitters.0.position=[0.5, 0.125, 0.5]'
says "this emitter faces 'tank' about 2.5 spacings (0.13 m) ahead: layers are pressed into each other there" \
    "is warned of"
exits 0 "one five spacings away" "$MENISCUS" check "$work/flush.yaml" \
    --set 'fluids.0.emitters.0.position=[0.5, 0.25, 0.5]'
check "is not" test "$(grep -c faces "$work/stderr")" -eq 0
exits 0 "two that face each other" "$MENISCUS" check "$work/flush.yaml" --set 'fluids.0.emitters=[
    {disc: {radius: 0.2}, position: [0.4, 0.5, 0.5], direction: [1, 0, 0], speed: 1},
    {disc: {radius: 0.2}, position: [0.6, 0.5, 0.5], direction: [-1, 0, 0], speed: 1}]'
says "this emitter faces another one about 3.5 spacings (0.18 m) ahead" "are warned of"
exits 0 "one that streams into another" "$MENISCUS" check "$work/flush.yaml" --set 'fluids.0.emitters=[
    {disc: {radius: 0.2}, position: [0.3, 0.5, 0.5], direction: [1, 0, 0], speed: 1},
    {disc: {radius: 0.2}, position: [0.45, 0.5, 0.55], direction: [1, 0, 0], speed: 1}]'
says "this emitter streams into another one about 2.2 spacings (0.11 m) ahead" "is warned of"
exits 0 "two side by side" "$MENISCUS" check "$work/flush.yaml" --set 'fluids.0.emitters=[
    {disc: {radius: 0.1}, position: [0.3, 0.5, 0.3], direction: [1, 0, 0], speed: 1},
    {disc: {radius: 0.1}, position: [0.35, 0.5, 0.55], direction: [1, 0, 0], speed: 1}]'
check "are not" test "$(grep -c streams "$work/stderr")" -eq 0

# What a run writes of a solid's stiffness, at both ends of what may be asked for, can be read back.
for young in 1e-6 1e12; do
    exits 0 "a solid of $young Pa" "$MENISCUS" run cantilever --set solids.0.young=$young --set solids.0.poisson=0.499 \
        --steps 0 -q -o "$work/solid" --overwrite
    exits 0 "its run.yaml is a scene" "$MENISCUS" check "$work/solid/run.yaml"
done

# A forecast, and walls that are too thin.
cat >"$work/forecast.yaml" <<'SCENE'
particles: {spacing: 0.05}
time: {step: 0.002, end: 0.2}
fluids:
  - shapes: [{box: {size: [0.3, 0.3, 0.3], centre: [0.22, 0.25, 0]}},
             {box: {size: [0.3, 0.3, 0.3], centre: [-0.22, 0.25, 0]}}]
    emitters: [{box: {size: [0.5, 0.5]}, position: [0, 3, 0], direction: [0, -1, 0], speed: 1}]
walls:
  - name: gate
    shapes: [{box: {size: [0.02, 1, 1]}}]
output: {every: 0.05, fields: [velocity]}
SCENE
exits 0 "a scene with a thin wall" "$MENISCUS" check "$work/forecast.yaml"
says "warning: 'gate' has a plate of 0.02 m, thinner than two spacings (0.1 m): the liquid on both its sides will mix" \
    "a thin wall between liquids"
says "emitted   about 400 particles" "particles that are emitted"
says "steps     100 of 2 ms" "steps"
says "5 frames of" "frames"
says "trial step" "the time by a trial, whatever is warned of"
set -- "$work/forecast.yaml" --set 'fluids.0.emitters=[]'
exits 0 "the same without an opening" "$MENISCUS" check "$@"
foreseen=$(awk '$1 == "memory" { print $3 * ($4 == "kB" ? 1 : $4 == "MB" ? 1000 : 0) }' "$work/stdout")
exits 0 "and its run" "$MENISCUS" run "$@" -o "$work/forecast" --steps 5
taken=$(awk '$1 == "memory" { print 1000 * $2 }' "$work/stdout")
check "memory: $foreseen kB foreseen, $taken taken" \
    awk "BEGIN { exit !($taken > 0 && $foreseen > 0.7 * $taken && $foreseen < 1.5 * $taken) }"
exits 0 "openings alone" "$MENISCUS" check "$work/forecast.yaml" --set 'fluids.0.shapes=[]'
check "are tried until there is something to tell the time by" \
    grep -Eq 'time      about 1 s on cpu.*, by [0-9]{2,} trial steps' "$work/stdout"
exits 0 "the same with a body in the water" "$MENISCUS" check "$work/forecast.yaml" \
    --set 'bodies=[{density: 500, shapes: [{sphere: {centre: [0.22, 0.25, 0], radius: 0.08}}]}]'
says "particles of 'fluid1' are left out: bodies or soft solids are there" "says that it takes the place of liquid"
# Steps: liquid that is held up gains no speed, and gravity may come late.
cat >"$work/pool.yaml" <<'SCENE'
particles: {spacing: 0.05}
time: {adaptive: {max: 0.03}, end: 1}
fluids: [{viscosity: xsph, shapes: [{box: {min: [-0.2, 0.025, -0.2], max: [0.2, 0.4, 0.2]}}]}]
walls: [{shapes: [{box: {min: [-0.225, 0, -0.225], max: [0.225, 2, 0.225], inside_out: true}}]}]
SCENE
for late in '[0, -9.81, 0]' '{0: [0, 0, 0], 0.9: [0, 0, 0], 0.91: [0, -9.81, 0]}'; do
    exits 0 "gravity $late" "$MENISCUS" check "$work/pool.yaml" --set "gravity=$late"
    foreseen=$(awk '$1 == "steps" { print $3 }' "$work/stdout")
    exits 0 "its run" "$MENISCUS" run "$work/pool.yaml" --set "gravity=$late" -q -o "$work/pool" --overwrite
    taken=$(tail -n 1 "$work/pool/stats.csv" | cut -d , -f 1)
    check "steps: $foreseen foreseen, $taken taken" \
        awk "BEGIN { exit !($taken > 0 && $foreseen > 0.6 * $taken && $foreseen < 1.6 * $taken) }"
done
exits 0 "the same without water on one side" "$MENISCUS" check "$work/forecast.yaml" --set fluids.0.shapes.1=null \
    --threads 1
says "note: 'gate' has a plate" "is a note"
check "the time, by a trial" grep -Eq 'time      about .* on cpu.* 1 thread, by [0-9]+ trial steps' "$work/stdout"
exits 0 "a thick one" "$MENISCUS" check "$work/forecast.yaml" --set "walls.0.shapes.0.box.size=[0.1, 1, 1]" \
    --set fluids.0.shapes.1=null
check "is not blamed" test "$(grep -c 'thinner than' "$work/stderr")" -eq 0

# Liquid that starts fast is not taken for one that a step has thrown apart.
scene flight "$block, velocity: [20, 0, 0]" ''
exits 0 "liquid that flies four spacings a step" "$MENISCUS" check "$work/flight.yaml" --set 'time={step: 0.01, end: 1}'
check "its time, by a trial" grep -Eq 'time      about .*, by [0-9]+ trial steps?' "$work/stdout"
check "it is not blamed" test "$(grep -c 'too long for this scene:' "$work/stderr")" -eq 0
finish
