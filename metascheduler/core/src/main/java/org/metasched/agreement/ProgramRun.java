package org.metasched.agreement;

import java.util.Optional;
import org.metasched.adapter.JobStatus;
import org.metasched.adapter.Program;
import org.metasched.adapter.Requester;

/**
 * The program of one part of an agreement, and its status. Stored with the agreement before any site is asked to start it, so
 * that the intent outlives a crash.
 *
 * @param requester user for whom the program runs; empty if the offer names none
 * @param secret shared by all parts of the agreement and shown to their processes only
 */
public record ProgramRun(Program program, Optional<Requester> requester, String secret, JobStatus status) {

    ProgramRun withStatus(JobStatus seen) {
        return new ProgramRun(program, requester, secret, seen);
    }

    @Override
    public String toString() {
        return "ProgramRun[" + program.executable() + ", " + status + "]";
    }
}
