#!/usr/bin/env python3
"""Nodes of several Slurm sites at one time, and a job in each reservation.

two_sites.py SITE SBATCH [SITE SBATCH]...
SBATCH is how sbatch is called there, such as "ssh login.fzj.example.org sbatch".
"""

import shlex
import subprocess
import sys

import metasched
from metasched import Part


def main(*words: str) -> None:
    sbatch = dict(zip(words[::2], words[1::2]))
    with metasched.Client() as grid:
        try:
            agreement = grid.reserve([Part(site, nodes=2) for site in sbatch], duration="PT2M", label="two sites")
        except metasched.Refused as refused:
            sys.exit("\n".join([*refused.reasons, *(f"could be had: {one}" for one in refused.suggestions)]))
        print(f"agreement {agreement.id} from {agreement.start}")
        try:
            for part in agreement.parts:
                job = agreement.job_spec(part, "/bin/hostname")
                reservation = job["attributes"]["reservation_id"]
                # Whole minutes, one less than the reservation has: a job that would end after it does not begin.
                asked = [
                    f"--reservation={reservation}",
                    f"--nodes={job['resources']['node_count']}",
                    f"--time={job['attributes']['duration'] // 60 - 1}",
                    f"--wrap=srun {job['executable']}",
                ]
                command = [*shlex.split(sbatch[part.site]), "--parsable", *asked]
                said = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout  # noqa: S603
                print(f"{part.site}: job {said.split(';')[0].strip()} in reservation {reservation}")
        except (subprocess.CalledProcessError, OSError):
            agreement.terminate()
            raise


if __name__ == "__main__":
    main(*sys.argv[1:])
