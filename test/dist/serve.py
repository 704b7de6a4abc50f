"""Starts what the installed units start, inside the chroot that is the argument, and has it serve an agreement. See install.sh."""
import fcntl, json, os, re, signal, socket, struct, subprocess, sys, time, urllib.request

root = sys.argv[1]


def loopback_up():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        fcntl.ioctl(any_socket, 0x8914, struct.pack("16sh", b"lo", 0x1 | 0x40))  # SIOCSIFFLAGS, IFF_UP | IFF_RUNNING


def unit(name):
    """The settings of a unit's [Service] section, with the instance put in."""
    stem, _, rest = name.partition("@")
    instance = rest.removesuffix(".service")
    file = stem + "@.service" if rest else name
    with open(root + "/lib/systemd/system/" + file) as text:
        return dict(re.findall(r"^(\w+)=(.*)$", text.read().replace("%i", instance), re.M))


def start(name):
    """Runs ExecStart as the unit's user and waits for READY=1."""
    settings = unit(name)
    assert settings["Type"] == "notify", name
    path = "/run/notify-" + name
    notify = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    notify.bind(root + path)
    os.chmod(root + path, 0o777)
    notify.settimeout(int(settings["TimeoutStartSec"]))
    began = time.monotonic()
    process = subprocess.Popen(
        ["/usr/sbin/chroot", "--userspec=%s:%s" % (settings["User"], settings["Group"]), root, *settings["ExecStart"].split()],
        env={"PATH": "/usr/bin:/bin", "NOTIFY_SOCKET": path, "HOME": "/var/lib/metasched"})
    try:
        while "READY=1" not in (message := notify.recv(4096).decode()).splitlines():
            print("  ", message)
    except TimeoutError:
        sys.exit("%s was not ready in time; exit code %s" % (name, process.poll()))
    print("%s is ready after %.1f s, as %s" % (name, time.monotonic() - began, settings["User"]))
    return name, process


def stop(name, process):
    process.send_signal(signal.SIGTERM)
    code = process.wait(60)
    assert code in (0, 143, -signal.SIGTERM), "%s ended with %s" % (name, code)


def metasched(*arguments):
    return subprocess.run(["/usr/sbin/chroot", "--userspec=metasched:metasched", root, "/usr/bin/metasched", *arguments],
                          check=True, capture_output=True, text=True, env={"PATH": "/usr/bin:/bin", "HOME": "/tmp"}).stdout


def held_at_the_site():
    with urllib.request.urlopen("http://127.0.0.1:9001/reservations", timeout=30) as answer:
        return [one for one in json.load(answer)["reservations"] if one["state"] in ("RESERVED", "ACTIVE")]


loopback_up()
services = [start("metasched-adapter@simulated.service"), start("metasched.service"), start("metasched-publish@simulated.service")]

printed = metasched("reserve", "--site", "toy:nodes=8", "--site", "example:nodes=4", "--duration", "PT10M")
assert "is Observed" in printed, printed
assert [one["amount"] for one in held_at_the_site()] == [8], held_at_the_site()
print(printed.strip())
agreement = re.search(r"ag-\w+", printed).group()
metasched("terminate", agreement)
assert held_at_the_site() == [], held_at_the_site()
for attempt in range(100):
    ads = metasched("status", "--server", "http://127.0.0.1:8080")
    if "toy" in ads:
        break
    time.sleep(0.2)
else:
    sys.exit("no ad of the site arrived:\n" + ads)
print("agreement kept and ended; the site's ad is there")

for name, process in reversed(services):
    stop(name, process)
print("all services ended in good order")
