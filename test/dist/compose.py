#!/usr/bin/env python3
"""Judges compose.yaml and runs what it says without a container daemon: test/dist/compose.py [metasched-*-image.tar]
docker-compose renders the file and judges it by its schema. Then its two services run with the environment, secrets, volumes, health
checks and rights that it sets: this machine's PostgreSQL, prepared as the entry point of the image postgres does it, and the server's image
in a chroot. Not walked: the image postgres itself, docker's network and published ports. Needs docker-compose; for the services root and a
PostgreSQL. Exit code 77 and a sentence if nothing can be run."""
import glob, json, os, pathlib, pwd, secrets, shutil, subprocess, sys, tempfile, time

try:
    import yaml
except ImportError as missing:
    print("skipped:", missing)
    sys.exit(77)

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import image as images

FILE = pathlib.Path(__file__).resolve().parents[2] / "metascheduler/dist/src/compose/compose.yaml"
DATABASE = "10.9.8.6"


def rendered(folder, text, **environment):
    """The file as docker-compose understands it."""
    pathlib.Path(folder, "compose.yaml").write_text(text)
    ended = subprocess.run(["docker-compose", "-f", folder + "/compose.yaml", "config"], capture_output=True, text=True,
                           env={"PATH": os.environ["PATH"], "HOME": folder, **environment})
    return ended.returncode, ended.stdout, ended.stderr


def judged(folder):
    text = FILE.read_text()
    code, _, err = rendered(folder, text)
    assert code and "the version of the image" in err, "rendered without a version: " + err
    code, out, err = rendered(folder, text, METASCHED_VERSION="1", METASCHED_HOST=images.HOST)
    assert code == 0, err
    services = yaml.safe_load(out)["services"]
    assert set(services) == {"database", "metasched"}, services
    server = services["metasched"]
    assert server["read_only"] and server["cap_drop"] == ["ALL"] and server["security_opt"] == ["no-new-privileges:true"], server
    assert "8443" in json.dumps(server["ports"]) and "127.0.0.1" in json.dumps(server["ports"]), server["ports"]
    for right, wrong in (("read_only: true", "readonly: true"), ("cap_drop: [ALL]", "cap_drop: ALL"), ("condition: service_healthy", "condition: healthy")):
        assert right in text and rendered(folder, text.replace(right, wrong), METASCHED_VERSION="1")[0], "taken: " + wrong
    print("compose.yaml: rendered; its schema knows every key and refuses another")
    return services


def seconds(text):
    return sum(int(part) * {"s": 1, "m": 60}[unit] for part, unit in zip(text.replace("m", " ").replace("s", " ").split(), filter(str.isalpha, text)))


def healthy(check, ask, what):
    """Asks as often as the health check of the file allows."""
    began = time.monotonic()
    for _ in range(check.get("retries", 3) + 1 + seconds(check.get("start_period", "0s"))):
        if ask() == 0:
            print("%s is healthy after %.1f s" % (what, time.monotonic() - began))
            return
        time.sleep(1)
    sys.exit("%s is not healthy after %d s" % (what, time.monotonic() - began))


class Postgres:
    """The service `database`: what docker-entrypoint.sh of the image postgres makes of its environment."""

    def __init__(self, service, secret, folder):
        self.bin = sorted(glob.glob("/usr/lib/postgresql/*/bin"))[-1]
        self.account = pwd.getpwnam("postgres")
        self.service, self.data = service, folder + "/database"
        environment = service["environment"]
        assert environment["POSTGRES_PASSWORD_FILE"] == "/run/secrets/database.password", environment
        self.user = environment["POSTGRES_USER"]
        os.mkdir(self.data)
        shutil.copy(secret, folder + "/pwfile")
        for path in (self.data, folder + "/pwfile"):
            os.chown(path, self.account.pw_uid, self.account.pw_gid)
        self.done("initdb", "-D", self.data, "--username=" + self.user, "--pwfile=" + folder + "/pwfile", "--auth-host=scram-sha-256", "--auth-local=trust")
        pathlib.Path(self.data, "pg_hba.conf").open("a").write("host all all all scram-sha-256\n")
        self.process = subprocess.Popen(
            self.as_postgres("postgres", "-D", self.data, "-c", "listen_addresses=*", "-c", "unix_socket_directories=" + self.data),
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        test = service["healthcheck"]["test"]
        assert test[0] == "CMD-SHELL", test
        healthy(service["healthcheck"], lambda: subprocess.run(self.as_postgres(*test[1].split()), stdout=subprocess.DEVNULL).returncode, "database")
        self.query("create database " + environment["POSTGRES_DB"], "postgres")

    def as_postgres(self, tool, *words):
        return ["setpriv", "--reuid=%d" % self.account.pw_uid, "--regid=%d" % self.account.pw_gid, "--clear-groups", self.bin + "/" + tool, *words]

    def done(self, *words):
        ended = subprocess.run(self.as_postgres(*words), capture_output=True, text=True, cwd="/")
        assert ended.returncode == 0, ended.stdout + ended.stderr
        return ended.stdout

    def query(self, text, database=None):
        return self.done("psql", "-h", self.data, "-U", self.user, "-d", database or self.service["environment"]["POSTGRES_DB"], "-Atqc", text).strip()

    def stop(self):
        self.process.terminate()
        self.process.wait(60)


def served(services, tar, folder):
    password = pathlib.Path(folder, "database.password")
    password.write_text(secrets.token_hex(24) + "\n")
    password.chmod(0o644)
    subprocess.run(["ip", "address", "add", DATABASE + "/32", "dev", "lo"], check=True)
    os.chmod(folder, 0o755)
    database = Postgres(services["database"], password, folder)
    os.mkdir(folder + "/image")
    server = images.Image(tar, folder + "/image")
    root = server.root
    with open(root + "/etc/hosts", "a") as hosts:
        hosts.write("127.0.0.1 localhost\n%s database\n" % DATABASE)
    # read_only, tmpfs, the volume with what the image has there, and the secret, which docker mounts below /run/secrets.
    os.makedirs(root + "/run/secrets", exist_ok=True)
    shutil.copy2(password, root + "/run/secrets/database.password")
    volume = folder + "/state"
    shutil.copytree(server.state, volume)
    shutil.copystat(server.state, volume)
    mounts = ["mount --bind {0} {0}", "mount -o remount,bind,ro {0}", "mount --bind {1} {0}/var/lib/metasched", "mount -t tmpfs tmpfs {0}/tmp",
              "mount -t proc proc {0}/proc", "mount --bind /dev {0}/dev"]
    subprocess.run("umount %s/proc" % root, shell=True, check=True)
    for mount in mounts:
        subprocess.run(mount.format(root, volume), shell=True, check=True)
    service = services["metasched"]
    process = server.start(**service["environment"])
    test = service["healthcheck"]["test"]
    assert test[0] == "CMD", test
    healthy(service["healthcheck"], lambda: server.ends(*test[1:]), "metasched")
    tables = int(database.query("select count(*) from information_schema.tables where table_schema = 'public'"))
    assert tables > 5, tables
    words = ["--server", "https://localhost:8443", *(one for key, file in (("--ca", "ca.pem"), ("--cert", "operator.pem"), ("--key", "operator.key")) for one in (key, "/var/lib/metasched/pki/" + file))]
    reserved = server.metasched("reserve", "--site", "a:nodes=2", "--site", "b:nodes=2", "--duration", "30m", *words)
    assert "is Observed" in reserved, reserved
    process.terminate()
    assert process.wait(seconds(service["stop_grace_period"])) in (0, 143)
    process = server.start(**service["environment"])
    # The simulated sites of the first configuration have forgotten it; the database has not.
    name = next(word for word in reserved.split() if word.startswith("ag-"))
    assert (told := server.metasched("agreement", name, *words)).startswith("agreement " + name), told
    process.terminate()
    process.wait(60)
    database.stop()
    print("its services: %d tables in PostgreSQL, an agreement over two sites, read again after a restart, on a root that is read only" % tables)


def main():
    shutil.which("docker-compose") or images.skip("docker-compose is missing")
    runs = len(sys.argv) > 1 and glob.glob("/usr/lib/postgresql/*/bin")
    if runs:
        images.alone()
    with tempfile.TemporaryDirectory(dir="/var/tmp", ignore_cleanup_errors=True) as folder:
        services = judged(folder)
        if not runs:
            images.skip("the services, as there is no image or no PostgreSQL")
        try:
            served(services, sys.argv[1], folder)
        finally:
            subprocess.run(["umount", "--recursive", "--lazy", folder + "/image/root"], stderr=subprocess.DEVNULL)


if __name__ == "__main__":
    main()
