package org.metasched.simulation;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.metasched.adapter.Need;
import org.metasched.adapter.SiteId;
import org.metasched.agreement.AgreementRequest;
import org.metasched.agreement.RequestedPart;
import org.metasched.agreement.making.SiteSelector;
import org.metasched.agreement.making.SiteSelector.Candidates;
import org.metasched.choice.Choice;
import org.metasched.choice.ChoiceBranch;
import org.metasched.choice.ChoicePart;
import org.metasched.choice.FeasibleStarts;
import org.metasched.choice.PlaceOption;
import org.metasched.choice.Plan;
import org.metasched.choice.Preference;
import org.metasched.negotiation.ChoiceRequest;
import org.metasched.negotiation.ChoiceRequest.Branch;
import org.metasched.negotiation.ChoiceRequest.OpenPart;
import org.metasched.negotiation.ChoiceRequest.Place;
import org.metasched.negotiation.CoAllocationRequest;
import org.metasched.negotiation.CoAllocationRequest.SitePart;
import org.metasched.negotiation.NegotiationEffort;
import org.metasched.negotiation.NegotiationEngine;
import org.metasched.negotiation.NegotiationOutcome;
import org.metasched.negotiation.NegotiationOutcome.NoCommonSlot;
import org.metasched.negotiation.StageTiming;
import org.metasched.negotiation.TemporalConstraint;
import org.metasched.simulation.scenario.Scenario;
import org.metasched.simulation.scenario.StartSearchPolicy;
import org.metasched.simulation.scenario.StreamScenario;
import org.metasched.simulation.stream.MetaJob;

/**
 * Negotiates meta-jobs whose sites the policy chooses. A meta-job keeps the amounts that its stream has drawn, and any candidate site of
 * the stream may serve them. Links and licences must be at the site of the nodes listed before them. For one thread.
 */
final class OpenSites {

    /** Stands for the site in the record of a meta-job for which no site was chosen. */
    static final SiteId ANY = new SiteId("any");

    private static final FeasibleStarts AT_ONCE = FeasibleStarts.of(0, 0);

    private final StartSearchPolicy policy;
    private final SiteSelector selector;
    private final StartPolicy startPolicy;
    private final NegotiationEngine engine;
    private final Map<String, StreamScenario> streams = new HashMap<>();
    private final Map<String, Set<SiteId>> sitesOf = new HashMap<>();

    OpenSites(Scenario scenario, SiteSelector selector, StartPolicy startPolicy, NegotiationEngine engine) {
        this.policy = scenario.policy();
        this.selector = selector;
        this.startPolicy = startPolicy;
        this.engine = engine;
        for (var stream : scenario.streams()) {
            streams.put(stream.name(), stream);
            sitesOf.put(
                    stream.name(),
                    stream.sites().stream()
                            .map(site -> scenario.sites().get(site).id())
                            .collect(Collectors.toSet()));
        }
    }

    /** Chooses sites for a meta-job and reserves there. */
    NegotiationOutcome negotiate(MetaJob job) throws InterruptedException {
        var request = job.request();
        var candidates = selector.candidates(
                new AgreementRequest(parts(job), Optional.of(request.earliest()), Optional.of(request.deadline())));
        var places = candidates.places().stream()
                .map(all -> all.stream()
                        .filter(place ->
                                sitesOf.getOrDefault(job.stream(), Set.of()).contains(place.site()))
                        .toList())
                .toList();
        if (places.stream().anyMatch(List::isEmpty)) {
            return none(job);
        }
        if (policy instanceof StartSearchPolicy.ChoiceInTime choice) {
            var branch = new Branch(
                    open(job, places),
                    candidates.rules(),
                    timing(job),
                    Duration.ZERO,
                    request.earliest(),
                    request.deadline(),
                    0);
            return engine.choose(new ChoiceRequest(List.of(branch), choice.preference()));
        }
        var plan = highestRank(new Candidates(places, candidates.rules(), Optional.empty()));
        if (plan.isEmpty()) {
            return none(job);
        }
        var chosen = new ArrayList<SitePart>();
        for (int i = 0; i < places.size(); i++) {
            var part = job.parts().get(i);
            var place = (Place) plan.get().picks().get(i).get(0).tag();
            chosen.add(new SitePart(place.site(), part.request(), part.offset()));
        }
        return startPolicy.negotiate(new CoAllocationRequest(chosen, request.earliest(), request.deadline()));
    }

    /** A part without a site for each part of the job. Requirements tie links and licences to the site of the nodes before them. */
    private List<RequestedPart> parts(MetaJob job) {
        var stream = Optional.ofNullable(streams.get(job.stream()));
        var parts = new ArrayList<RequestedPart>();
        int nodes = 0;
        for (var part : job.parts()) {
            Optional<String> wanted;
            if (part.request().need() instanceof Need.Nodes) {
                nodes = parts.size();
                wanted = stream.flatMap(StreamScenario::requirements);
            } else {
                wanted = Optional.of("TARGET.Site == part" + nodes + ".Site");
            }
            String term = "part" + parts.size();
            parts.add(new RequestedPart(term, term, Optional.empty(), part.request(), wanted));
        }
        return parts;
    }

    private static List<OpenPart> open(MetaJob job, List<List<Place>> places) {
        return IntStream.range(0, places.size())
                .mapToObj(i -> new OpenPart("part" + i, job.parts().get(i).request(), places.get(i), Optional.empty()))
                .toList();
    }

    /** Fixed lags between the stages. A stage has the parts of one offset, and its name is the offset. */
    private static StageTiming timing(MetaJob job) {
        var offsets = job.parts().stream().map(part -> part.offset()).toList();
        return StageTiming.of(
                offsets.stream().map(Duration::toString).toList(),
                job.parts().stream().map(part -> part.request().duration()).toList(),
                offsets.stream()
                        .distinct()
                        .skip(1)
                        .map(offset -> TemporalConstraint.fixed(
                                offsets.get(0).toString(), offset.toString(), offset.minus(offsets.get(0))))
                        .toList());
    }

    /** The plan with the highest rank, under the assumption that every site is free now. */
    private static Optional<Plan> highestRank(Candidates candidates) {
        var parts = candidates.places().stream()
                .map(places -> ChoicePart.oneOf(places.stream()
                        .map(place ->
                                new PlaceOption(place.advertised(), 1, AT_ONCE, place.rank(), place.cost(), place))
                        .toList()))
                .toList();
        var branch = new ChoiceBranch(parts, candidates.rules());
        return Choice.decide(List.of(branch), 0, 0, Preference.RANK, 1, Choice.MOST_STEPS)
                .best();
    }

    private static NegotiationOutcome none(MetaJob job) {
        return new NoCommonSlot(ANY, job.latest(), false, NegotiationEffort.NONE);
    }
}
