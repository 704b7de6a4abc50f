package org.metasched.soap;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.metasched.adapter.Requester;
import org.metasched.adapter.ResourceRequest;
import org.metasched.adapter.SiteId;
import org.metasched.agreement.AgreementOffer;
import org.metasched.agreement.AgreementRequest;
import org.metasched.agreement.RequestedPart;
import org.metasched.agreement.TermAlternative;
import org.metasched.choice.Preference;
import org.metasched.client.xml.XmlNames;
import org.metasched.client.xml.XmlTrees;
import org.metasched.negotiation.TemporalConstraint;
import org.w3c.dom.Element;

/**
 * Reader of one alternative of an offer: its resource terms, each with the time term of its service.
 *
 * <p>One time term makes one slot for all. Of several time terms, all or none must have a start. The distances between the starts are kept:
 * all parts move together, as far as each time term allows. Where a term says after which service its own begins, each service is a stage,
 * which may wait.
 */
final class RequestReader {

    private final int order;
    private final Optional<Requester> requester;
    private final List<Element> guarantees = new ArrayList<>();
    private final List<ResourceTerm> resources = new ArrayList<>();
    private final List<TimeTerm> times = new ArrayList<>();

    private RequestReader(int order, Optional<Requester> requester) {
        this.order = order;
        this.requester = requester;
    }

    /**
     * The requests of an alternative, one for each choice of hosts, in the order of the document.
     *
     * @param order number of this alternative among those of the offer
     * @param leaves terms of the alternative
     * @throws InvalidOfferException when the terms make no request
     */
    static List<AgreementRequest> requests(int order, List<Element> leaves, Optional<Requester> requester) {
        var reader = new RequestReader(order, requester);
        leaves.forEach(reader::add);
        return reader.requests();
    }

    /** Whether some leaf describes resources; others may be guarantees, variables and times only. */
    static boolean asksForResources(List<Element> leaves) {
        return leaves.stream().flatMap(leaf -> XmlTrees.children(leaf).stream()).anyMatch(ResourceTerm::describes);
    }

    private void add(Element leaf) {
        String name = leaf.getAttributeNS(XmlNames.WSAG, "Name");
        String service = leaf.getAttributeNS(XmlNames.WSAG, "ServiceName");
        switch (leaf.getLocalName()) {
            case "ServiceDescriptionTerm" -> {
                var content = XmlTrees.children(leaf).get(0);
                if (ResourceTerm.describes(content)) {
                    resources.add(ResourceTerm.of(name, service, content));
                } else if (TimeTerm.describes(content)) {
                    times.add(TimeTerm.of(name, service, content));
                } else {
                    throw new InvalidOfferException("Term " + name + ": this server does not understand "
                            + content.getNodeName() + " as the description of a service.");
                }
            }
            case "GuaranteeTerm" -> guarantees.add(leaf);
            // Variables and references ask for no resource.
            default -> {}
        }
    }

    private List<AgreementRequest> requests() {
        if (resources.isEmpty()) {
            throw new InvalidOfferException("The offer has no term that asks for resources.");
        }
        return choicesOfHosts().stream().map(this::request).toList();
    }

    /** All combinations of a host, or nothing, for each resource term. */
    private List<List<Optional<SiteId>>> choicesOfHosts() {
        List<List<Optional<SiteId>>> choices = List.of(List.of());
        for (var term : resources) {
            var hosts = term.hosts().stream().map(Optional::of).map(List::of).toList();
            choices = TermTree.product(choices, hosts.isEmpty() ? List.of(List.of(Optional.empty())) : hosts);
            if (choices.size() > AgreementOffer.MOST_ALTERNATIVES) {
                throw new InvalidOfferException("The candidate hosts leave more than "
                        + AgreementOffer.MOST_ALTERNATIVES + " alternatives to choose from.");
            }
        }
        return choices;
    }

    private AgreementRequest request(List<Optional<SiteId>> hosts) {
        Optional<Instant> first =
                times.stream().flatMap(t -> t.start().stream()).min(Instant::compareTo);
        var parts = new ArrayList<RequestedPart>();
        for (int i = 0; i < resources.size(); i++) {
            var term = resources.get(i);
            parts.add(part(term, timeOf(term), hosts.get(i)));
        }
        var preferences = resources.stream()
                .flatMap(term -> term.preference().stream())
                .distinct()
                .toList();
        if (preferences.size() > 1) {
            throw new InvalidOfferException("The terms prefer different things: " + preferences + ".");
        }
        var preference = preferences.isEmpty() ? Preference.START : preferences.get(0);
        var lags = lags(first);
        var alternative = Optional.of(new TermAlternative(order, guarantees()));
        return InvalidOfferException.checking(
                () -> new AgreementRequest(parts, first, deadline(parts, first, lags), preference, lags, alternative));
    }

    /** The guarantees about services of this alternative: a scope may name services of other alternatives only. */
    private List<String> guarantees() {
        var services = resources.stream().map(ResourceTerm::service).toList();
        return guarantees.stream()
                .filter(term -> {
                    var scope = GuaranteeReader.scope(term);
                    return scope.isEmpty() || !Collections.disjoint(scope, services);
                })
                .map(term -> term.getAttributeNS(XmlNames.WSAG, "Name"))
                .toList();
    }

    private RequestedPart part(ResourceTerm term, Optional<TimeTerm> time, Optional<SiteId> host) {
        var duration = time.flatMap(TimeTerm::duration)
                .or(term::wallTime)
                .or(() -> time.flatMap(TimeTerm::window))
                .orElseThrow(() -> new InvalidOfferException("Term " + term.name()
                        + ": nothing says for how long. Write a TimeConstraint with a Duration for service "
                        + term.service() + "."));
        return InvalidOfferException.checking(() -> new RequestedPart(
                term.name(),
                term.service(),
                host,
                new ResourceRequest(term.need(), duration, requester),
                term.constraint(),
                term.rank(),
                term.program(),
                term.split()));
    }

    /** The time term of the same service, else the only time term of the offer. */
    private Optional<TimeTerm> timeOf(ResourceTerm resource) {
        var own = times.stream()
                .filter(t -> t.service().equals(resource.service()))
                .toList();
        if (own.size() > 1) {
            throw new InvalidOfferException("Service " + resource.service() + " has " + own.size()
                    + " time constraints (" + own.stream().map(TimeTerm::name).toList() + "); it takes one.");
        }
        if (own.size() == 1) {
            return Optional.of(own.get(0));
        }
        return times.size() == 1 ? Optional.of(times.get(0)) : Optional.empty();
    }

    private boolean isWorkflow() {
        return resources.stream().anyMatch(term -> !term.after().isEmpty());
    }

    /** Lags between services; where none are stated, the distances of the time terms' starts. */
    private List<TemporalConstraint> lags(Optional<Instant> first) {
        if (isWorkflow()) {
            if (times.stream().map(TimeTerm::start).distinct().count() > 1
                    || times.stream().map(TimeTerm::end).distinct().count() > 1) {
                throw new InvalidOfferException(
                        "The time constraints of services that wait for each other must have the"
                                + " same StartTime and the same EndTime, which are those of the whole.");
            }
            return resources.stream()
                    .flatMap(term -> term.after().stream())
                    .distinct()
                    .toList();
        }
        var base = resources.get(0);
        var offsets = new LinkedHashMap<String, Duration>();
        resources.forEach(term -> offsets.put(term.service(), offset(timeOf(term), first)));
        Duration ofBase = offset(timeOf(base), first);
        return Set.copyOf(offsets.values()).size() < 2
                ? List.of()
                : offsets.entrySet().stream()
                        .filter(entry -> !entry.getKey().equals(base.service()))
                        .map(entry -> TemporalConstraint.fixed(
                                base.service(), entry.getKey(), entry.getValue().minus(ofBase)))
                        .toList();
    }

    /** The distance of a time term's start from the first start. */
    private Duration offset(Optional<TimeTerm> time, Optional<Instant> first) {
        if (times.size() < 2 || time.isEmpty() || first.isEmpty()) {
            return Duration.ZERO;
        }
        return Duration.between(
                first.get(),
                time.get()
                        .start()
                        .orElseThrow(() -> new InvalidOfferException("Term "
                                + time.get().name() + ": with several time constraints, each needs a StartTime.")));
    }

    /** The latest end of all, when everything moves as far as the tightest time term allows. */
    private Optional<Instant> deadline(
            List<RequestedPart> parts, Optional<Instant> first, List<TemporalConstraint> lags) {
        if (times.size() < 2 || isWorkflow()) {
            return times.stream().flatMap(t -> t.end().stream()).findFirst();
        }
        var timing =
                new AgreementRequest(parts, first, Optional.empty(), Preference.START, lags, Optional.empty()).timing();
        return IntStream.range(0, parts.size())
                .boxed()
                .flatMap(i -> timeOf(resources.get(i)).flatMap(TimeTerm::end).stream()
                        .map(end -> end.plus(timing.tail(i))
                                .minus(parts.get(i).request().duration())))
                .min(Instant::compareTo);
    }
}
