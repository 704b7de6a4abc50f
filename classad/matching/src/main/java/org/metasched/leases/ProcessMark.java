package org.metasched.leases;

import java.time.Instant;

/**
 * Identity of a process that cannot be mistaken for a later one with the same number.
 *
 * @param host host on which it runs, see {@link HostIdentity}
 * @param pid process id on the host
 * @param began time of its begin, in milliseconds since the epoch, or 0 if the system does not tell it
 */
public record ProcessMark(String host, long pid, long began) {

    /** The mark of a claimant behind the network, whose process cannot be checked. */
    public static final ProcessMark ELSEWHERE = new ProcessMark("elsewhere", 0, 0);

    private static final ProcessMark CURRENT = of(ProcessHandle.current());

    public static ProcessMark current() {
        return CURRENT;
    }

    private static ProcessMark of(ProcessHandle process) {
        long began = process.info().startInstant().map(Instant::toEpochMilli).orElse(0L);
        return new ProcessMark(HostIdentity.name(), process.pid(), began);
    }

    boolean isOfThisHost() {
        return host.equals(HostIdentity.name());
    }

    /** Whether the process certainly does not run any more. A process of another host is never known to be gone. */
    boolean isGone() {
        return isOfThisHost()
                && !equals(CURRENT)
                && ProcessHandle.of(pid).map(found -> !of(found).equals(this)).orElse(true);
    }

    /** Whether the process certainly runs. A stopped one does. */
    boolean lives() {
        return isOfThisHost() && !isGone();
    }
}
