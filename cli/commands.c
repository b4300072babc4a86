/* commands.c -- the tables of commands and options. The help breaks their texts into lines. */
#include "args.h"
#include "options.h"

const cli_command cli_commands[] = {
    {"run", "SCENE", true, "simulate a scene",
     "SCENE is a YAML or JSON file, - for standard input, or the name of a scene that comes with the program (meniscus "
     "list scenes). The directory of the run receives run.yaml (the scene as run), stats.csv, timing.csv, frames and "
     "checkpoints.",
     NULL, true, .run = cli_run},
    {"check", "SCENE", true, "report everything that is wrong with a scene, without running it",
     "Prints each error and warning with file, line and column. Exit code 0: the scene can be run; 2: it cannot.\nThen "
     "a forecast: particles that emitters add, steps, time on this machine, memory, disk.",
     NULL, true, .run = cli_check},
    {"mesh", "RUN", true, "make meshes of the liquids' surfaces from the frames of a run",
     "RUN is the directory of a run. Each frame gives one closed mesh of each liquid, in the directory surface of the "
     "run or in DIR, with normals and all fields of the particles at its vertices; obj files hold no fields, stl files "
     "triangles alone.",
     NULL, true, .run = cli_mesh},
    {"render", "RUN", true, "make ray-traced pictures of a run, or of a mesh",
     "RUN is the directory of a run, a directory of meshes frame_*.ply, or a mesh (PLY, OBJ, STL). Nothing is "
     "simulated: camera, looks and colours may differ from the run's. Writes frame_*.png into DIR, and of several "
     "pictures film.mp4 and film.gif if ffmpeg is installed.",
     NULL, true, .run = cli_render},
    {"measure", "RUN", true, "measure drops, angles, fronts and heights in the frames of a run",
     "RUN is the directory of a run. Writes measure.csv there, or FILE (-: standard output): one row a frame with the "
     "columns of each WHAT (meniscus list measures). drop-list writes every drop into drops.csv, height-field the "
     "height of the surface over the ground into heights/frame_*.csv.",
     NULL, true, .run = cli_measure, .more = "WHAT", .most = 16, .more_choices = cli_measures},
    {"view", "SOURCE", false, "show a run or a scene in the browser, and steer it",
     "SOURCE is the directory of a run, a scene (as of meniscus run), or nothing: the page then begins with the scenes "
     "that come with the program. A scene runs while it is shown, into a directory of its own. Opens the browser; ends "
     "with Ctrl-C.",
     NULL, true, .run = cli_view},
    {"sweep", "SCENE", true, "run a scene many times with other values",
     "Each --vary names a key and its values: A,B,C or FROM:TO:COUNT. All combinations are run (--zip: the first "
     "values together, the second, ...), each in a directory of DIR named after its values. results.csv holds one row "
     "a run, results.png and curves.png show it. The same command again continues where it was stopped.",
     NULL, true, .run = cli_sweep},
    {"plot", "RUN", true, "draw columns of the tables of runs over time",
     "RUN is the directory of a run, or a table (.csv); further runs and columns follow in any order. Without COLUMN, "
     "energies, speed, density error and iterations. COLUMN is one of stats.csv, measure.csv or timing.csv, "
     "TABLE:COLUMN of another table of the run (probes/wave:height), or TABLE:NAME:COLUMN of one body or solid "
     "(bodies:ship:y). Columns of one unit share a panel. Writes plot.png into the run, or here for several runs.",
     NULL, true, .run = cli_plot, .more = "COLUMN", .most = 80},
    {"list", "TOPIC", false, "list models, parameters, fields, scenes, keys, units or devices",
     "Without TOPIC an overview. 'list scenes NAME' lists one folder of scenes, 'list keys SCENE' every key of a scene "
     "that --set takes, with the names of its entries.\nTOPIC is models, parameters, fields, scenes, devices, units, "
     "keys, measures, schema (JSON schema of scene files, for editors) or reference (all keys of scene files, as "
     "Markdown).",
     cli_list_topics, false, .run = cli_list, .more = "NAME", .most = 1},
    {"bench", "CASE", false, "measure speed on fixed cases",
     "Without CASE all cases are run. The column 'peer' is SPlisHSPlasH 2.16 on two cores of an AMD EPYC (AVX2), for "
     "the same particles, time step, tolerances and steps. Cases of meshes and pictures have the time, CPU time and "
     "memory of the command; mesh-1m, which simulates for minutes before, is run only when it is named.",
     cli_bench_cases, false, .run = cli_bench},
    {"validate", "CASE", false, "compare with analytic solutions and experiments",
     "Without CASE all cases are run. Exit code 0: all are within their bars; 1: one is not. --set changes the scenes "
     "of a named case, such as particles.spacing=0.03; its criteria stay.",
     cli_validate_cases, false, .run = cli_validate},
    {"completion", "SHELL", true, "print a completion script for bash, zsh or fish",
     "bash: meniscus completion bash > ~/.local/share/bash-completion/completions/meniscus\nzsh:  source <(meniscus "
     "completion zsh), after compinit\nfish: meniscus completion fish > ~/.config/fish/completions/meniscus.fish",
     cli_shells, false, .run = cli_completion},
};
const int cli_command_count = sizeof cli_commands / sizeof *cli_commands;

#define AT(member) offsetof(cli_arguments, member)
const cli_option cli_options[] = {
    {" run ", "output", 'o', "DIR", TEXT, AT(dir), 0, 0, "directory of the run (default: out/ and the scene's name)",
     NULL},
    {" view ", "output", 'o', "DIR", TEXT, AT(dir), 0, 0,
     "directory of the run of a scene (default: out/ and the scene's name, the first that is free)", NULL},
    {" view ", "port", 0, "N", COUNT, AT(port), 0, 65535, "port of the page; 0: any that is free (default)", NULL},
    {" view ", "address", 0, "ADDRESS", TEXT, AT(address), 0, 0,
     "serve at this address of the machine instead of 127.0.0.1; others need the token", NULL},
    {" view ", "token", 0, "WORD", TEXT, AT(token), 0, 0,
     "ask browsers for this word of 8 to 100 letters and digits (default: a random one with --address)", NULL},
    {" view ", "paused", 0, NULL, SWITCH, AT(paused), 0, 0, "wait before the first step of a scene", NULL},
    {" view ", "no-browser", 0, NULL, SWITCH, AT(stay), 0, 0, "only print the address", NULL},
    {" mesh ", "output", 'o', "DIR", TEXT, AT(dir), 0, 0, "directory of the meshes (default: surface in the run's)",
     NULL},
    {" render ", "output", 'o', "DIR", TEXT, AT(dir), 0, 0, "directory of the pictures (default: render in the run's)",
     NULL},
    {" measure ", "output", 'o', "FILE", TEXT, AT(dir), 0, 0,
     "table that is written (default: measure.csv in the run's)", NULL},
    {" validate ", "output", 'o', "DIR", TEXT, AT(dir), 0, 0,
     "write what some cases measure over time there, as tables for meniscus plot", NULL},
    {" sweep ", "output", 'o', "DIR", TEXT, AT(dir), 0, 0, "directory of the runs", NULL},
    {" sweep ", "vary", 0, "KEY=A,B,C", WORDS_SET, AT(vary), 0, 0, "a key and the values it takes; may be repeated",
     NULL},
    {" sweep ", "zip", 0, NULL, SWITCH, AT(zip), 0, 0, "values of several keys side by side, not all combinations",
     NULL},
    {" sweep ", "jobs", 0, "N", COUNT, AT(jobs), 1, 1024, "runs at a time (default: 1); they share the cores", NULL},
    {" sweep ", "result", 0, "COLUMN", WORDS, AT(results), 0, 0,
     "a column of results.csv: COLUMN (its last value), mean(COLUMN), min(COLUMN) or max(COLUMN), as of meniscus plot; "
     "may be repeated",
     NULL},
    {" sweep ", "measure", 0, "LIST", TEXT, AT(measure), 0, 0,
     "measure each run, such as contact,shape (meniscus list measures)", NULL},
    {" plot ", "output", 'o', "FILE", TEXT, AT(dir), 0, 0, "picture that is written (PNG)", NULL},
    {" plot ", "x", 0, "COLUMN", TEXT, AT(x), 0, 0, "column along the horizontal axis (default: time)", NULL},
    {" plot ", "log", 0, NULL, SWITCH, AT(logarithmic), 0, 0, "powers of ten along the vertical axis", NULL},
    {" plot ", "title", 0, "TEXT", TEXT, AT(title), 0, 0, "above the curves (default: that of a single run)", NULL},
    {" plot ", "label", 0, "TEXT", WORDS, AT(labels), 0, 0,
     "what the legend calls a run (default: the name of its directory); once for each run", NULL},
    {" measure ", "fluid", 0, "NAME", TEXT, AT(fluid), 0, 0, "only this fluid (default: all)", NULL},
    {" measure ", "wall", 0, "NAME", TEXT, AT(wall), 0, 0,
     "contact: the wall that a drop stands on (default: the first with a plane or a box)", NULL},
    {" measure ", "least", 0, "N", COUNT, AT(least), 1, 1000000000, "drops: particles that make one (default: 8)",
     NULL},
    {" measure mesh render ", "frames", 0, "A:B:STEP", FRAMES, AT(frames), 0, 0,
     "only every STEP-th frame from A to B; A alone is one frame, A: all from A on", NULL},
    {" mesh ", "cell", 0, "X", LENGTH, AT(cell), 0, 0,
     "width of the grid's cells in m (default: half the particle spacing)", NULL},
    {" plot ", "size", 0, "WxH", SIZE, AT(size), 0, 0, "width and height in pixels (default: 1280 wide)", NULL},
    {" render ", "size", 0, "WxH", SIZE, AT(size), 0, 0,
     "width and height in pixels, such as 1920x1080 (default: the camera's)", NULL},
    {" render ", "samples", 0, "N", COUNT, AT(samples), 1, 4096,
     "most rays a pixel (default: 16; 64 with a lens or an exposure)", NULL},
    {" sweep run ", "until", 0, "SECONDS", SECONDS, AT(until), 0, 0,
     "stop at this simulated time instead of the scene's end", NULL},
    {" sweep run bench ", "steps", 0, "N", COUNT, AT(steps), 0, 1000000000, "stop after step N of the run", NULL},
    {" sweep run view check mesh render bench validate ", "threads", 0, "N", COUNT, AT(threads), 0, 1024,
     "threads to use; 0: all cores (default)", NULL},
    {" sweep run view check bench validate ", "backend", 0, "NAME", BACKEND, AT(backend), 0, 0,
     "cpu (default), cpu-scalar, opencl or opencl:DEVICE (a number or part of a name of 'meniscus list devices'); "
     "cpu:SET takes avx512, avx2 or plain instead of the best",
     "cpu cpu-scalar opencl"},
    {" sweep run view check render validate ", "set", 0, "KEY=VALUE", SETTING, AT(sets), 0, 0,
     "change a key of the scene, such as time.step=0.001; may be repeated", NULL},
    {" run ", "format", 0, "LIST", FORMATS, AT(formats), 0, 0, "formats of frames, separated by commas: vtp, bgeo, ply",
     "vtp bgeo ply"},
    {" mesh ", "smoothing", 0, "X", SPACINGS, AT(smoothing), 0, 0,
     "smooth away waves shorter than X particle spacings; 0: none (default: 7)", NULL},
    {" mesh ", "hollows", 0, "X", SPACINGS, AT(hollows), 0, 0,
     "fill closed hollows smaller than a cube of X particle spacings; 0: none (default: 2)", NULL},
    {" mesh ", "format", 0, "LIST", FORMATS, AT(formats), 0, 0,
     "formats of meshes, separated by commas: ply (default), obj, vtp, stl", "ply obj vtp stl"},
    {" mesh ", "per-fluid", 0, NULL, SWITCH, AT(apart), 0, 0,
     "one mesh for each fluid, also where several are the same liquid", NULL},
    {" run ", "preview", 0, NULL, SWITCH, AT(preview), 0, 0,
     "also write a picture of each frame (PNG), and a film if ffmpeg is installed", NULL},
    {" run ", "render", 0, NULL, SWITCH, AT(render), 0, 0,
     "also make ray-traced pictures of all frames (see meniscus render)", NULL},
    {" run ", "resume", 0, NULL, SWITCH, AT(resume), 0, 0, "continue the run in DIR from its last good checkpoint",
     NULL},
    {" render ", "resume", 0, NULL, SWITCH, AT(resume), 0, 0, "keep the pictures that DIR holds, make the others",
     NULL},
    {" mesh ", "resume", 0, NULL, SWITCH, AT(resume), 0, 0, "keep the meshes that DIR holds, make the others", NULL},
    {" run ", "overwrite", 0, NULL, SWITCH, AT(overwrite), 0, 0, "replace the run that DIR holds", NULL},
    {" measure plot ", "overwrite", 0, NULL, SWITCH, AT(overwrite), 0, 0, "replace what is there", NULL},
    {" mesh render ", "overwrite", 0, NULL, SWITCH, AT(overwrite), 0, 0, "replace what DIR holds of these frames",
     NULL},
    {" sweep run view check measure plot mesh render validate ", "quiet", 'q', NULL, SWITCH, AT(quiet), 0, 0,
     "print only warnings, errors and the result", NULL},
    {" bench ", "repeat", 0, "N", COUNT, AT(repeat), 1, 100, "run each case N times and keep each step's shortest time",
     NULL},
    {" run ", "json", 0, NULL, SWITCH, AT(json), 0, 0,
     "print progress, messages and the summary as JSON, one object a line", NULL},
    {" bench ", "json", 0, NULL, SWITCH, AT(json), 0, 0, "print JSON instead of a table", NULL},
    {NULL, "help", 'h', NULL, SWITCH, AT(help), 0, 0, "print this help", NULL},
};
const int cli_option_count = sizeof cli_options / sizeof *cli_options;
