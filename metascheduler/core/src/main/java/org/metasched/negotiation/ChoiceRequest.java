package org.metasched.negotiation;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.metasched.adapter.Need;
import org.metasched.adapter.ResourceRequest;
import org.metasched.adapter.SiteId;
import org.metasched.choice.PickConstraint;
import org.metasched.choice.Preference;

/**
 * Resources at sites yet to be chosen, at one start or in stages: alternatives, whose parts each have the places that may serve them.
 *
 * @param branches alternatives of which one is taken, at least one
 * @param preference order by which the best of several plans is chosen
 */
public record ChoiceRequest(List<Branch> branches, Preference preference) {

    public ChoiceRequest {
        branches = List.copyOf(branches);
        if (branches.isEmpty()) {
            throw new IllegalArgumentException("A choice must have at least one branch.");
        }
    }

    /** The instant from which some branch may begin. */
    public Instant earliest() {
        return branches.stream().map(Branch::earliest).min(Instant::compareTo).orElseThrow();
    }

    /** The last start at which some branch ends in time. */
    public Instant latestStart() {
        return branches.stream()
                .map(branch -> branch.deadline().minus(branch.timing().span()))
                .max(Instant::compareTo)
                .orElseThrow();
    }

    /**
     * One alternative.
     *
     * @param rules constraints between places. A rule judges options whose tag is a {@link Place}
     * @param delay time by which it takes longer than another branch for the same request
     * @param earliest earliest start of all parts
     * @param deadline latest end of all parts
     * @param order a branch of a higher order is taken only when none of a lower one can be had
     */
    public record Branch(
            List<OpenPart> parts,
            List<PickConstraint> rules,
            StageTiming timing,
            Duration delay,
            Instant earliest,
            Instant deadline,
            int order) {

        public Branch {
            parts = List.copyOf(parts);
            rules = List.copyOf(rules);
        }
    }

    /**
     * One part of a branch.
     *
     * @param name name for messages
     * @param places places that may serve it, perhaps none
     * @param split rules for several places that serve it together; empty if one place must serve it
     */
    public record OpenPart(String name, ResourceRequest request, List<Place> places, Optional<SplitRequest> split) {

        public OpenPart {
            places = List.copyOf(places);
            split.ifPresent(s -> s.check(request.need().amount()));
        }

        boolean isLike(OpenPart other) {
            return request.equals(other.request) && split.equals(other.split) && places.equals(other.places);
        }

        /** The amounts in which a place may serve it: its own, or those of its pieces. */
        List<Integer> sizes() {
            int total = request.need().amount();
            return split.map(s -> s.sizes(total)).orElseGet(() -> List.of(total));
        }

        /** The request to a place for a piece of it. */
        ResourceRequest sized(int size) {
            return size == request.need().amount()
                    ? request
                    : request.of(request.need().withAmount(size));
        }
    }

    /**
     * A place that may serve a part.
     *
     * @param site site that is asked
     * @param advertised name of the offer that is taken: no two parts get the same; empty if parts may share it
     * @param rank value of the part's Rank for it; a higher one is preferred
     * @param cost cost of the whole part there, from 0
     * @param beside amount that other parts of the request hold there at the same time: so much more must be free
     */
    public record Place(SiteId site, String advertised, double rank, double cost, int beside) {

        /**
         * The amount that other requests hold beside one, of the same resource and throughout its duration.
         *
         * @param all the requests that begin together, among them {@code one}
         */
        public static int beside(ResourceRequest one, Stream<ResourceRequest> all) {
            var need = one.need();
            long sum = all.filter(held -> held.duration().compareTo(one.duration()) >= 0
                            && held.need().equals(need.withAmount(held.need().amount())))
                    .mapToLong(held -> held.need().amount())
                    .sum();
            return (int) Math.min(Need.MOST, sum) - need.amount();
        }
    }
}
