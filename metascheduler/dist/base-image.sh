#!/bin/sh
# Makes a base for the container image without a registry of images, from Debian packages: base-image.sh OUT.tar
# Needs root (or user namespaces) and mmdebstrap. The result is a minimal Debian 12 with Java 17; SOURCE_DATE_EPOCH makes it the same bytes
# for the same packages.
set -eu
out=$1
: "${SOURCE_DATE_EPOCH:=1763683200}"
export SOURCE_DATE_EPOCH
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mmdebstrap --quiet --variant=minbase --include=openjdk-17-jre-headless \
    --dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-exclude=/usr/share/locale/*' bookworm "$work/layer.tar"
python3 - "$work" "$out" "$(dpkg --print-architecture)" <<'PY'
import hashlib, io, json, os, sys, tarfile
work, out, architecture = sys.argv[1:]
digest = hashlib.sha256()
with open(work + "/layer.tar", "rb") as layer:
    while block := layer.read(1 << 20):
        digest.update(block)
config = json.dumps({
    "architecture": architecture, "os": "linux", "created": "1970-01-01T00:00:00Z",
    "config": {"Env": ["PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"]},
    "rootfs": {"type": "layers", "diff_ids": ["sha256:" + digest.hexdigest()]}}).encode()
name = hashlib.sha256(config).hexdigest() + ".json"
manifest = json.dumps([{"Config": name, "RepoTags": ["metasched-base:latest"], "Layers": ["layer.tar"]}]).encode()
with tarfile.open(out, "w") as image:
    for path, data in ((name, config), ("manifest.json", manifest)):
        entry = tarfile.TarInfo(path)
        entry.size = len(data)
        image.addfile(entry, io.BytesIO(data))
    entry = image.gettarinfo(work + "/layer.tar", "layer.tar")
    entry.mtime = entry.uid = entry.gid = 0
    with open(work + "/layer.tar", "rb") as layer:
        image.addfile(entry, layer)
PY
