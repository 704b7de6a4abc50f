package org.metasched.negotiation;

import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.metasched.negotiation.ChoiceRequest.Place;
import org.metasched.negotiation.CoAllocationRequest.SitePart;

/** Reserves several sites for one slot. Thread-safe. */
public interface NegotiationEngine {

    /**
     * Blocks until the end is known.
     *
     * @throws InterruptedException after everything made so far was given back, or left to the sweeper
     * @throws org.metasched.sites.UnknownSiteException before anything is asked
     */
    NegotiationOutcome negotiate(CoAllocationRequest request) throws InterruptedException;

    /**
     * The best ways to have it, without reserving anything.
     *
     * @param most wanted, at least 1
     * @throws InterruptedException while sites are asked
     * @throws org.metasched.sites.UnknownSiteException before anything is asked
     */
    default ChoicePlans plan(ChoiceRequest request, int most) throws InterruptedException {
        return new ChoicePlans(List.of(), false, "This service decides only when it reserves.", NegotiationEffort.NONE);
    }

    /**
     * Decides among places and times, and reserves the best that can be had. Blocks until the end is known.
     *
     * <p>An engine that does not decide in time negotiates the first alternative at the best-ranked place of each part; it heeds no
     * rule between places, and no wait between stages.
     *
     * @throws InterruptedException as above
     * @throws org.metasched.sites.UnknownSiteException before anything is asked
     */
    default ChoiceOutcome choose(ChoiceRequest request) throws InterruptedException {
        var branch = request.branches().get(0);
        var parts = IntStream.range(0, branch.parts().size())
                .mapToObj(i -> new SitePart(
                        branch.parts().get(i).places().stream()
                                .max(Comparator.comparingDouble(Place::rank))
                                .orElseThrow()
                                .site(),
                        branch.parts().get(i).request(),
                        branch.timing().head(i)))
                .toList();
        return new ChoiceOutcome(
                negotiate(new CoAllocationRequest(parts, branch.earliest(), branch.deadline())),
                0,
                IntStream.range(0, parts.size()).boxed().toList(),
                "");
    }
}
