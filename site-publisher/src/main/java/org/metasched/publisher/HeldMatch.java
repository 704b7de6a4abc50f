package org.metasched.publisher;

import java.time.Instant;
import java.util.UUID;

/**
 * One of a site's matches that somebody holds.
 *
 * @param id names it in the ledger and in the bound DAG
 * @param site the {@code Name} of the site's ad
 * @param holder what holds it: the directory of a bound DAG, or an agreement
 * @param taken when
 * @param process who took it, for as long as it is not confirmed
 * @param confirmed whether the holder exists; an unconfirmed match whose process has died is given back
 */
public record HeldMatch(UUID id, String site, String holder, Instant taken, ProcessMark process, boolean confirmed) {

    /**
     * A process that cannot be mistaken for a later one with the same number.
     *
     * @param host where it runs
     * @param pid its number there
     * @param began when it began, in milliseconds since the epoch, or 0 where the system does not tell
     */
    public record ProcessMark(String host, long pid, long began) {

        static ProcessMark current() {
            return of(ProcessHandle.current());
        }

        private static ProcessMark of(ProcessHandle process) {
            long began =
                    process.info().startInstant().map(Instant::toEpochMilli).orElse(0L);
            return new ProcessMark(hostName(), process.pid(), began);
        }

        /** Whether it certainly runs no more. A process of another host is never known to be gone. */
        boolean isGone() {
            if (!host.equals(hostName())) {
                return false;
            }
            return ProcessHandle.of(pid).map(found -> !of(found).equals(this)).orElse(true);
        }

        private static String hostName() {
            String named = System.getenv("HOSTNAME");
            return named == null || named.isBlank() ? "localhost" : named;
        }
    }

    HeldMatch asConfirmed() {
        return new HeldMatch(id, site, holder, taken, process, true);
    }
}
