#!/usr/bin/env bash
# Unpacks a container image and runs its entry point as its user: test/dist/image.sh metascheduler/dist/target/metasched-*-image.tar
# There is no container daemon here: layers are laid over each other in a folder, and chroot takes the place of the runtime. Needs root.
set -euo pipefail
[ "$(id -u)" -eq 0 ] || { echo "skipped: a chroot needs root"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf --one-file-system "$work"' EXIT
tar -xf "$1" -C "$work"
python3 - "$work" <<'PY'
import json, os, subprocess, sys
work = sys.argv[1]
root = work + "/root"
os.mkdir(root)


def blob(digest):
    return work + "/blobs/" + digest.replace(":", "/")


if os.path.exists(work + "/index.json"):
    manifest = json.load(open(blob(json.load(open(work + "/index.json"))["manifests"][0]["digest"])))
    config, layers = json.load(open(blob(manifest["config"]["digest"]))), [blob(one["digest"]) for one in manifest["layers"]]
else:
    manifest = json.load(open(work + "/manifest.json"))[0]
    config, layers = json.load(open(work + "/" + manifest["Config"])), [work + "/" + one for one in manifest["Layers"]]
for layer in layers:
    subprocess.run(["tar", "-xf", layer, "-C", root], check=True)
run = config["config"]
user = run["User"]
print("entry point", run["Entrypoint"], run["Cmd"], "as", user, "from", run["WorkingDir"])
entry = ["unshare", "--net", "/usr/sbin/chroot", "--userspec=" + user, root]
environment = dict(one.split("=", 1) for one in run["Env"])
print(subprocess.run([*entry, *run["Entrypoint"], "--version"], env=environment, check=True, capture_output=True, text=True).stdout.strip())
server = subprocess.Popen([*entry, *run["Entrypoint"], *run["Cmd"]], env=environment, stdout=subprocess.PIPE, text=True)
line = server.stdout.readline().strip()
assert line.startswith("http://"), line
print("the server answers at", line)
server.terminate()
print("and ended with", server.wait(60))
PY
