package org.metasched.agreement;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.metasched.adapter.Reservation;
import org.metasched.adapter.ReservationId;
import org.metasched.adapter.ReservationState;
import org.metasched.adapter.ReservationStatus;
import org.metasched.adapter.Sha256Digest;
import org.metasched.adapter.SiteId;

/**
 * Summary of an agreement that waits for its slot. Until then, a poll reads the agreement itself only if a site reports a change. An
 * agreement whose programs, conditions or values may change meanwhile has no digest.
 *
 * @param until begin of the first reservation or expiration, whichever is earlier; from then on polls read the agreement itself
 */
public record StatusDigest(AgreementId id, Instant until, List<Part> parts) {

    private static final HexFormat HEX = HexFormat.of();

    /** A reservation, by its site and the site's id for it. */
    public record Place(SiteId site, ReservationId reservation) {}

    /**
     * One reservation.
     *
     * @param fingerprint hash of what the site held when it was last asked
     */
    public record Part(Place place, String fingerprint) {

        static Part of(SiteCommitment part) {
            return new Part(part.place(), fingerprintOf(part.reservation(), part.state(), part.lostNodes()));
        }

        /** Whether the site holds the same as when it was last asked. */
        public boolean isUnchanged(ReservationStatus status) {
            return fingerprint.equals(fingerprintOf(status.reservation(), status.state(), status.lostNodes()));
        }
    }

    public StatusDigest {
        parts = List.copyOf(parts);
    }

    /** The digest of an agreement; empty if polls must read the agreement itself. */
    public static Optional<StatusDigest> of(Agreement agreement) {
        if (agreement.state() != AgreementState.OBSERVED
                || !agreement.commitments().stream().allMatch(StatusDigest::suffices)
                || !agreement.offer().guarantees().stream().allMatch(term -> suffices(agreement, term))) {
            return Optional.empty();
        }
        return Stream.concat(
                        agreement.offer().expiration().stream(),
                        agreement.commitments().stream()
                                .map(part -> part.reservation().slot().start()))
                .min(Comparator.naturalOrder())
                .map(until -> new StatusDigest(
                        agreement.id(),
                        until,
                        agreement.commitments().stream().map(Part::of).toList()));
    }

    private static boolean suffices(SiteCommitment part) {
        return part.state() == ReservationState.RESERVED
                && !part.isDegraded()
                && part.run().isEmpty();
    }

    private static boolean suffices(Agreement agreement, GuaranteeTerm term) {
        return term.promisesResourcesOnly() && agreement.guarantees().get(term.name()) == GuaranteeState.NOT_DETERMINED;
    }

    /** The digest as text for {@link #read}: a line for the agreement and one for each part. */
    public String write() {
        var text = new StringBuilder(until.toString());
        for (var part : parts) {
            text.append("\n" + part.fingerprint + " " + part.place.site + " " + part.place.reservation);
        }
        return text.toString();
    }

    /** Reads the text of {@link #write}. */
    public static StatusDigest read(AgreementId id, String text) {
        var lines = text.lines().toList();
        return new StatusDigest(
                id,
                Instant.parse(lines.get(0)),
                lines.stream()
                        .skip(1)
                        .map(line -> line.split(" ", 3))
                        .map(words -> new Part(new Place(new SiteId(words[1]), new ReservationId(words[2])), words[0]))
                        .toList());
    }

    /**
     * Hash of what a site holds, the same in every process. If a later version of the program computes another hash, its first poll
     * finds a change, and so reads the agreements.
     */
    private static String fingerprintOf(Reservation held, ReservationState state, List<String> lost) {
        String text = Objects.toString(List.of(
                held.key(),
                held.slot().start(),
                held.slot().end(),
                held.granted(),
                held.nodeNames(),
                state.name(),
                lost));
        return HEX.formatHex(Sha256Digest.of(text.getBytes(StandardCharsets.UTF_8)), 0, 12);
    }
}
