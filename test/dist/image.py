#!/usr/bin/env python3
"""Unpacks a container image and runs its entry point as its user: test/dist/image.py metascheduler/dist/target/metasched-*-image.tar
No container daemon is needed: layers are laid over each other in a folder, and chroot takes the place of the runtime, in a network of its
own. Needs root; exit code 77 and a sentence without what it needs."""
import json, os, pathlib, shutil, subprocess, sys, tempfile

HOST, ADDRESS = "grid.example.org", "10.9.8.7"


def skip(why):
    print("skipped:", why)
    sys.exit(77)


def alone(*tools):
    """Starts this program again in a network, a mount table and a process table of its own, where it has not yet."""
    if os.environ.pop("METASCHED_ALONE", None):
        # An address beside loopback takes the place of the published port.
        subprocess.run("ip link set lo up && ip address add %s/32 dev lo" % ADDRESS, shell=True, check=True)
        return
    if os.geteuid():
        skip("a chroot needs root")
    for tool in ("unshare", "ip", "curl", "setpriv", *tools):
        shutil.which(tool) or skip(tool + " is missing")
    os.environ["METASCHED_ALONE"] = "yes"
    os.execvp("unshare", ["unshare", "--net", "--mount", "--pid", "--fork", "--kill-child", sys.executable, *sys.argv])


class Image:
    """An image in a folder: `root` is its file system, `run` its configuration."""

    def __init__(self, tar, work):
        self.work, self.root = work, work + "/root"
        os.mkdir(self.root)
        subprocess.run(["tar", "-xf", tar, "-C", work], check=True)
        if os.path.exists(work + "/index.json"):
            manifest = self.json(self.blob(self.json("index.json")["manifests"][0]["digest"]))
            config, layers = self.json(self.blob(manifest["config"]["digest"])), [self.blob(one["digest"]) for one in manifest["layers"]]
        else:
            manifest = self.json("manifest.json")[0]
            config, layers = self.json(manifest["Config"]), manifest["Layers"]
        for layer in layers:
            subprocess.run(["tar", "--warning=no-unknown-keyword", "-xf", work + "/" + layer, "-C", self.root], check=True)
        self.run = config["config"]
        subprocess.run(["mount", "-t", "proc", "proc", self.root + "/proc"], check=True)
        self.state = self.root + "/var/lib/metasched"

    @staticmethod
    def blob(digest):
        return "blobs/" + digest.replace(":", "/")

    def json(self, name):
        return json.loads(pathlib.Path(self.work, name).read_text())

    def command(self, *words):
        """As the image's user, without rights that it could gain."""
        user, _, group = self.run["User"].partition(":")
        return ["/usr/sbin/chroot", self.root, "/usr/bin/setpriv", "--reuid=" + user, "--regid=" + (group or user), "--clear-groups",
                "--no-new-privs", "--inh-caps=-all", "--bounding-set=-all", *words]

    def environment(self, **more):
        return {**dict(one.split("=", 1) for one in self.run["Env"]), **more}

    def start(self, **environment):
        """The entry point, once it has printed the address of the server."""
        err = self.work + "/err"
        server = subprocess.Popen(self.command(*self.run["Entrypoint"], *self.run["Cmd"]), env=self.environment(**environment),
                                  stdout=subprocess.PIPE, stderr=open(err, "w"), text=True)
        line = server.stdout.readline().strip()
        assert line.startswith("https://"), line + self.errors()
        return server

    def errors(self):
        return pathlib.Path(self.work, "err").read_text()

    def ends(self, *words):
        """The exit code of a command in it."""
        return subprocess.run(self.command(*words), env=self.environment(), stderr=subprocess.DEVNULL).returncode

    def metasched(self, *words):
        ended = subprocess.run(self.command("/opt/metasched/bin/metasched", *words), env=self.environment(), capture_output=True, text=True)
        assert ended.returncode == 0, ended.stdout + ended.stderr
        return ended.stdout

    def status(self, page, *identity):
        """The HTTP status of a page, from another address than loopback."""
        return subprocess.run(
            ["curl", "-s", "-o", "/dev/null", "-w", "%{http_code}", "--cacert", self.state + "/pki/ca.pem",
             "--connect-to", "%s:8443:%s:8443" % (HOST, ADDRESS), *identity, "https://%s:8443%s" % (HOST, page)],
            capture_output=True, text=True).stdout

    def operator(self):
        return ["--cert", self.state + "/pki/operator.pem", "--key", self.state + "/pki/operator.key"]


def main():
    alone()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as work:
        try:
            check(Image(sys.argv[1], work))
        finally:
            subprocess.run(["umount", "-R", work + "/root/proc"])


def check(image):
    jars = sorted(name for folder, _, files in os.walk(image.root) for name in files if name.endswith(".jar") and "/jvm/" not in folder)
    assert jars and len(jars) == len(set(jars)), "jars that are there twice: %s" % {one for one in jars if jars.count(one) > 1}
    print(len(jars), "jars, each once")
    run = image.run
    assert run["User"].split(":")[0] not in ("", "0", "root"), run["User"]
    print("entry point", run["Entrypoint"], run["Cmd"], "as", run["User"], "from", run["WorkingDir"])
    print(image.metasched("--version").strip())
    health = "/opt/metasched/lib/health.sh"
    assert image.ends(health) == 1, "healthy before it runs"
    server = image.start(METASCHED_HOST=HOST)
    assert image.errors().count("first start:") == 1
    assert image.ends(health) == 0, "not healthy"
    assert image.ends(health, "/health/live") == 0, "not live"
    assert image.ends(health, "/no-such-page") == 1, "any page is healthy"
    page = "/api/v1/sites"
    assert (got := image.status(page, *image.operator())) == "200", got
    assert (got := image.status(page)) in ("401", "403"), got
    print("the first start answers at another address than loopback, over TLS, to its operator and to no stranger")
    server.terminate()
    assert server.wait(60) in (0, 143)
    server = image.start(METASCHED_HOST=HOST)
    assert "first start:" not in image.errors()
    assert image.status(page, *image.operator()) == "200"
    server.terminate()
    print("the second start keeps what the first made; ended with", server.wait(60))


if __name__ == "__main__":
    main()
