#!/usr/bin/env python3
"""Does on a bare system what Dockerfile and examples/ci.yml say, without a Docker engine and without GitHub.

    tools/bare.py docker FOLDER [COMMAND ...]   builds the image in chroots below FOLDER; its entry point runs COMMAND
    tools/bare.py ci FOLDER                     the `run` steps of examples/ci.yml, for a project with our dam.c

The steps are read from the two files; a step that this script does not know ends it. Needs root, debootstrap and a
mirror of Debian and Ubuntu. FOLDER/debian-12 and FOLDER/ubuntu-24.04 are made once and copied for each stage. What a
repository holds is the last commit of this one.
"""
import re
import shlex
import shutil
import subprocess
import sys
import time
from pathlib import Path

REPO = Path(__file__).resolve().parent.parent
SYSTEMS = {"debian:12": ("bookworm", "http://deb.debian.org/debian", "main"),
           "debian:13": ("trixie", "http://deb.debian.org/debian", "main"),
           "ubuntu-24.04": ("noble", "http://archive.ubuntu.com/ubuntu", "main,universe")}


def call(*words, **options):
    """A command on this system; its failure ends the script."""
    return subprocess.run([str(w) for w in words], check=True, **options)


def fresh(folder, system, name):
    """A new root with nothing but the base system."""
    suite, mirror, parts = SYSTEMS[system]
    base = folder / system.replace(":", "-")
    if not base.exists():
        script = [] if Path(f"/usr/share/debootstrap/scripts/{suite}").exists() else [
            "/usr/share/debootstrap/scripts/gutsy"]
        key = ["--no-check-gpg"] if system.startswith("ubuntu") else []  # Debian has no keys of Ubuntu
        call("debootstrap", "--variant=minbase", f"--components={parts}", *key, suite, base, mirror, *script,
             stdout=subprocess.DEVNULL)
    root = folder / name
    shutil.rmtree(root, ignore_errors=True)
    call("cp", "-a", base, root)
    shutil.copyfile("/etc/resolv.conf", root / "etc/resolv.conf")
    return root


def inside(root, command, workdir="/", env=()):
    """A shell command within a root, in processes of its own; says how long it took."""
    print(f"== {workdir}$ {command}", flush=True)
    start = time.time()
    lines = "".join(f"export {name}={shlex.quote(value)}\n" for name, value in env)
    call("unshare", "--fork", "--pid", "--mount", f"--mount-proc={root}/proc", "env", "-i", "HOME=/root", "LANG=C",
         "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "DEBIAN_FRONTEND=noninteractive",
         "chroot", root, "/bin/sh", "-ec", f"{lines}cd {workdir}\n{command}")
    print(f"== {time.time() - start:.0f} s", flush=True)


def commit_into(folder):
    """The last commit, as a checkout has it, without its history."""
    folder.mkdir(parents=True, exist_ok=True)
    archive = subprocess.Popen(["git", "-C", str(REPO), "archive", "HEAD"], stdout=subprocess.PIPE)
    call("tar", "-x", "-C", folder, stdin=archive.stdout)
    if archive.wait():
        sys.exit("git archive failed")


def docker(folder, command):
    """Each instruction of Dockerfile in turn; the roots of its stages are FOLDER/stage-0, FOLDER/stage-1, ..."""
    text = re.sub(r"\\\n\s*", " ", (REPO / "Dockerfile").read_text())
    stages, root, workdir, entry = {}, None, "/", None
    for line in (line.strip() for line in text.splitlines()):
        if not line or line.startswith("#"):
            continue
        word, rest = line.split(None, 1)
        if word == "FROM":
            names = rest.split()
            root = fresh(folder, names[0], f"stage-{len(stages)}")
            stages[names[2] if len(names) > 2 else len(stages)] = root
            workdir = "/"
        elif word == "RUN":
            inside(root, rest, workdir)
        elif word == "WORKDIR":
            workdir = rest
            (root / rest.lstrip("/")).mkdir(parents=True, exist_ok=True)
        elif word == "COPY" and rest.split()[0] == ".":
            commit_into(root / rest.split()[1].lstrip("/"))
        elif word == "COPY":
            stage, source, target = re.fullmatch(r"--from=(\w+) (\S+) (\S+)", rest).groups()
            found = list(stages[stage].glob(source.lstrip("/")))
            if not found:
                sys.exit(f"COPY: there is no {source} in {stage}")
            for path in found:
                shutil.copy(path, root / target.lstrip("/"))
        elif word == "ENTRYPOINT":
            entry = re.findall(r'"([^"]+)"', rest)
        else:
            sys.exit(f"this script does not know {word}")
    inside(root, shlex.join(entry + command))
    print(f"image: {sum(f.lstat().st_size for f in root.rglob('*') if f.is_file()) >> 20} MB in {root}")


def ci(folder):
    """The steps with `run` of the one job; checkout and cache are GitHub's, and what its machines have is installed."""
    import yaml  # pylint: disable=import-outside-toplevel
    flow = yaml.safe_load((REPO / "examples/ci.yml").read_text())
    job = flow["jobs"]["test"]
    root = fresh(folder, job["runs-on"], "ci")
    inside(root, "apt-get update -qq && apt-get install -y -qq --no-install-recommends sudo git ca-certificates "
           ">/dev/null")
    commit_into(root / "meniscus")
    inside(root, "cd /meniscus; git init -q -b main; git add -A; git -c user.name=a -c user.email=a@b commit -qm all")
    project = root / "project"
    (project / "scenes").mkdir(parents=True)
    shutil.copyfile(REPO / "scenes/basics/dam-30k.yaml", project / "scenes/mine.yaml")
    shutil.copyfile(REPO / "examples/dam.c", project / "dam.c")
    (project / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.16)\nproject(mine C)\nfind_package(meniscus REQUIRED)\n"
        "add_executable(dam dam.c)\ntarget_link_libraries(dam PRIVATE meniscus::meniscus)\n"
        "enable_testing()\nadd_test(NAME dam COMMAND dam)\n")
    env = {**flow["env"], "MENISCUS_REPOSITORY": "file:///meniscus"}
    for step in job["steps"]:
        if "run" in step:
            inside(root, step["run"].strip(), "/project", env.items())
        elif step["uses"].split("@")[0] not in ("actions/checkout", "actions/cache"):
            sys.exit(f"this script does not know {step['uses']}")
    print("every step of the job passed")


if __name__ == "__main__":
    if len(sys.argv) < 3 or sys.argv[1] not in ("docker", "ci"):
        sys.exit(__doc__)
    where = Path(sys.argv[2]).resolve()
    where.mkdir(parents=True, exist_ok=True)
    if sys.argv[1] == "docker":
        docker(where, sys.argv[3:] or ["--version"])
    else:
        ci(where)
