#!/usr/bin/env python3
"""Processor time of short commands: start-up.py OLD.jar NEW.jar [JAVA [ARCHIVE]]. Runs alternately, prints medians and ratios."""
import resource, subprocess, sys

old, new = sys.argv[1:3]
java = sys.argv[3] if len(sys.argv) > 3 else "java"
fast = ["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"]
archive = ["-XX:SharedArchiveFile=" + sys.argv[4], "-Xlog:disable"] if len(sys.argv) > 4 else []


def seconds(command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


for arguments, was in ((["--version"], fast), (["classad", "eval", "1+1"], [])):  # the old launcher started eval without options
    runs = [(seconds([java, *was, "-Xshare:auto", "-jar", old, *arguments]), seconds([java, *fast, *archive, "-jar", new, *arguments]))
            for _ in range(9)]
    before, after = (sorted(column)[len(runs) // 2] for column in zip(*runs))
    print("%-18s %.3f s before, %.3f s now, ratio %.2f" % (" ".join(arguments), before, after, after / before))
