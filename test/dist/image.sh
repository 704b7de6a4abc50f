#!/usr/bin/env bash
# Unpacks a container image and runs its entry point as its user: test/dist/image.sh metascheduler/dist/target/metasched-*-image.tar
# No container daemon is needed: layers are laid over each other in a folder, and chroot takes the place of the runtime. Needs root.
set -euo pipefail
[ "$(id -u)" -eq 0 ] || { echo "skipped: a chroot needs root"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf --one-file-system "$work"' EXIT
tar -xf "$1" -C "$work"
for tool in unshare curl ip python3; do command -v $tool >/dev/null || { echo "skipped: $tool is missing"; exit 77; }; done
unshare --net --mount --pid --fork --kill-child python3 - "$work" <<'PY'
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
    subprocess.run(["tar", "--warning=no-unknown-keyword", "-xf", layer, "-C", root], check=True)
jars = sorted(os.path.basename(name) for _, _, files in os.walk(root) for name in files if name.endswith(".jar") and "/jvm/" not in _)
assert jars and len(jars) == len(set(jars)), "jars that are there twice: %s" % {one for one in jars if jars.count(one) > 1}
print(len(jars), "jars, each once")
run = config["config"]
user = run["User"]
assert user.split(":")[0] not in ("", "0", "root"), user
print("entry point", run["Entrypoint"], run["Cmd"], "as", user, "from", run["WorkingDir"])
# An address beside loopback in a network of its own takes the place of the published port.
subprocess.run("ip link set lo up && ip address add 10.9.8.7/32 dev lo", shell=True, check=True)
entry = ["/usr/sbin/chroot", "--userspec=" + user, root]
environment = dict(one.split("=", 1) for one in run["Env"])
subprocess.run(["mount", "-t", "proc", "proc", root + "/proc"], check=True)


def start():
    server = subprocess.Popen([*entry, *run["Entrypoint"], *run["Cmd"]], env={**environment, "METASCHED_HOST": "grid.example.org"},
                              stdout=subprocess.PIPE, stderr=open(work + "/err", "w"), text=True)
    line = server.stdout.readline().strip()
    assert line.startswith("https://"), line + open(work + "/err").read()
    return server


def call(address, *identity):
    return subprocess.run(["curl", "-s", "-o", "/dev/null", "-w", "%{http_code}", "--cacert", state + "/ca.pem",
                           "--connect-to", "grid.example.org:8443:10.9.8.7:8443", *identity, address], capture_output=True, text=True).stdout


print(subprocess.run([*entry, *run["Entrypoint"], "--version"], env=environment, check=True, capture_output=True, text=True).stdout.strip())
state = root + "/var/lib/metasched/pki"
health = [*entry, "/opt/metasched/lib/health.sh"]
assert subprocess.run(health, env=environment, stderr=subprocess.DEVNULL).returncode == 1, "healthy before it runs"
server = start()
assert open(work + "/err").read().count("first start:") == 1
assert subprocess.run(health, env=environment).returncode == 0, "not healthy"
assert subprocess.run([*health, "/health/live"], env=environment).returncode == 0, "not live"
assert subprocess.run([*health, "/no-such-page"], env=environment).returncode == 1, "any page is healthy"
operator = ["--cert", state + "/operator.pem", "--key", state + "/operator.key"]
page = "https://grid.example.org:8443/api/v1/sites"
assert call(page, *operator) == "200", call(page, *operator)
assert call(page) in ("401", "403"), call(page)
print("the first start answers at another address than loopback, over TLS, to its operator and to no stranger")
server.terminate()
assert server.wait(60) in (0, 143)
server = start()
assert "first start:" not in open(work + "/err").read()
assert call(page, *operator) == "200"
server.terminate()
print("the second start keeps what the first made; ended with", server.wait(60))
PY
