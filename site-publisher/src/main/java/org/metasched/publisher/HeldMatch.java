package org.metasched.publisher;

import java.time.Instant;
import java.util.UUID;

/**
 * A claim on one of a site's matches.
 *
 * @param id names it in the count and in the bound DAG; never used twice, so a claimant that was taken for dead cannot act on
 *     another's claim
 * @param site the {@code Name} of the site's ad
 * @param holder what holds it: the directory of a bound DAG, an introduction, or an agreement
 * @param owner who took it, as {@code user@machine}, or the authenticated subject
 * @param token the fencing token: larger than that of every claim taken before it in the same count
 * @param taken when
 * @param leaseEnd until when it stays unconfirmed, unless it is renewed; of no meaning once it is confirmed
 * @param process who took it
 * @param confirmed whether the holder exists
 * @param matches how many of the site's matches it counts for
 */
public record HeldMatch(
        UUID id,
        String site,
        String holder,
        String owner,
        long token,
        Instant taken,
        Instant leaseEnd,
        ProcessMark process,
        boolean confirmed,
        int matches) {

    /** As a claimant takes it. */
    public static HeldMatch taken(Claims.Want want, long token, Instant now) {
        return new HeldMatch(
                want.id(),
                want.site(),
                want.holder(),
                want.claimant().owner(),
                token,
                now,
                now.plus(Claims.LEASE),
                want.claimant().process(),
                false,
                want.matches());
    }

    /**
     * A process that cannot be mistaken for a later one with the same number.
     *
     * @param host where it runs, see {@link Host}
     * @param pid its number there
     * @param began when it began, in milliseconds since the epoch, or 0 where the system does not tell
     */
    public record ProcessMark(String host, long pid, long began) {

        /** Of a claimant behind the network, whose process cannot be looked for. */
        public static final ProcessMark ELSEWHERE = new ProcessMark(Host.ELSEWHERE, 0, 0);

        public static ProcessMark current() {
            return of(ProcessHandle.current());
        }

        private static ProcessMark of(ProcessHandle process) {
            long began =
                    process.info().startInstant().map(Instant::toEpochMilli).orElse(0L);
            return new ProcessMark(Host.name(), process.pid(), began);
        }

        /** Whether it certainly runs no more. A process of another host is never known to be gone. */
        boolean isGone() {
            return host.equals(Host.name())
                    && ProcessHandle.of(pid)
                            .map(found -> !of(found).equals(this))
                            .orElse(true);
        }

        /** Whether it certainly runs. One that is stopped does. */
        boolean lives() {
            return host.equals(Host.name()) && !isGone();
        }
    }

    /** What the count does with a claim that is looked at. */
    public enum Fate {
        STAYS,
        /** Its holder has been seen: it is confirmed. */
        CONFIRMED,
        /** It is given back. */
        ENDS
    }

    /** Whether its claimant saw the same files as this process. */
    public boolean isOfThisHost() {
        return process.host().equals(Host.name());
    }

    /**
     * What becomes of it now. A confirmed claim stays. An unconfirmed one is open for as long as its process lives or its lease
     * runs; then its holder is looked for. A holder that is out of sight is waited for until the lease has run out.
     */
    public Fate fate(Instant now, Evidence evidence) {
        boolean ranOut = leaseEnd.isBefore(now);
        if (confirmed || process.lives() || !process.isGone() && !ranOut) {
            return Fate.STAYS;
        }
        return switch (evidence.of(this)) {
            case HOLDS -> Fate.CONFIRMED;
            case MISSING -> Fate.ENDS;
            case UNSEEN -> ranOut ? Fate.ENDS : Fate.STAYS;
        };
    }

    public HeldMatch asConfirmed() {
        return new HeldMatch(id, site, holder, owner, token, taken, leaseEnd, process, true, matches);
    }

    public HeldMatch renewedTo(Instant end) {
        return new HeldMatch(id, site, holder, owner, token, taken, end, process, confirmed, matches);
    }
}
