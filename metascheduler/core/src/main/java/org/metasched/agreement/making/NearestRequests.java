package org.metasched.agreement.making;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.function.UnaryOperator;
import org.metasched.adapter.ResourceRequest;
import org.metasched.agreement.AgreementRequest;
import org.metasched.agreement.RequestedPart;
import org.metasched.agreement.making.OfferAdvice.Nearest;
import org.metasched.agreement.making.OfferAdvice.Way;
import org.metasched.negotiation.SplitRequest;

/**
 * Searches requests near a refused one that would be granted. Each differs in one property, by as little as bisection finds (to a 64th of
 * the wanted value). Its plan begins no sooner than {@link #GOOD_FOR} from now, so that it can still be offered. The alternatives share the
 * probes equally; probes that one of them does not use are left to the next. For one use, by one thread.
 */
final class NearestRequests {

    /** Time for which a suggestion stays valid if no site changes. */
    static final Duration GOOD_FOR = Duration.ofMinutes(5);

    /** Most plans that are made for all alternatives together. */
    private static final int MOST_PROBES = 150;
    /** Least probes for one alternative: with fewer, few changes could be tried. */
    private static final int LEAST_PROBES = 15;

    /** Bisection ends within this fraction of the wanted value. */
    private static final long FINENESS = 64;

    private final OfferNegotiator negotiator;
    private final Instant soonest;
    /** The nearest requests to the present alternative. */
    private final List<Nearest> nearest = new ArrayList<>();

    private int probes;
    /** The number of probes after which the present alternative has no more. */
    private int mostProbes;

    NearestRequests(OfferNegotiator negotiator, Clock clock) {
        this.negotiator = negotiator;
        this.soonest = clock.instant().plus(GOOD_FOR);
    }

    /** The nearest requests to each alternative, in their order, without repetitions. */
    List<Nearest> search(List<AgreementRequest> alternatives) throws InterruptedException {
        var all = new ArrayList<Nearest>();
        for (int i = 0; i < alternatives.size() && probes < MOST_PROBES; i++) {
            mostProbes = probes + Math.max(LEAST_PROBES, (MOST_PROBES - probes) / (alternatives.size() - i));
            nearest.clear();
            search(alternatives.get(i));
            nearest.stream()
                    .filter(near ->
                            all.stream().noneMatch(other -> other.request().equals(near.request())))
                    .forEach(all::add);
        }
        return all;
    }

    private void search(AgreementRequest wanted) throws InterruptedException {
        if (suggest("again", "the same, as there is room now", wanted)) {
            return;
        }
        later(wanted);
        earlier(wanted);
        smaller(wanted);
        if (nearest.isEmpty() && wanted.deadline().isPresent()) {
            smaller(within(wanted, wanted.earliest(), Optional.empty()));
            nearest.replaceAll(near ->
                    new Nearest(near.change(), near.words() + ", without the deadline", near.request(), near.way()));
        }
    }

    private void smaller(AgreementRequest wanted) throws InterruptedException {
        shorter(wanted);
        fewer(wanted);
        fewerSites(wanted);
        relaxed(wanted);
        elsewhere(wanted);
    }

    /** Plans a request, if probes are left. */
    private Optional<Way> probe(AgreementRequest request) throws InterruptedException {
        if (probes >= mostProbes) {
            return Optional.empty();
        }
        probes++;
        var earliest = request.earliest().filter(e -> e.isAfter(soonest)).orElse(soonest);
        var later = request.with(request.parts(), Optional.of(earliest), request.deadline());
        return negotiator.plan(List.of(later), 1, true).ways().stream().findFirst();
    }

    /** Adds a request to the suggestions if it would be granted; returns whether it was added. */
    private boolean suggest(String change, String words, AgreementRequest request) throws InterruptedException {
        var way = probe(request);
        way.ifPresent(w -> nearest.add(new Nearest(change, words, request, w)));
        return way.isPresent();
    }

    private void later(AgreementRequest wanted) throws InterruptedException {
        if (wanted.deadline().isEmpty()) {
            return;
        }
        var way = probe(within(wanted, wanted.earliest(), Optional.empty()));
        if (way.isPresent()) {
            // Rounded up to a minute: a time that people can read.
            Instant end = way.get().end().plusSeconds(59).truncatedTo(ChronoUnit.MINUTES);
            suggest(
                    "later",
                    "ended by " + end + " instead of " + wanted.deadline().get(),
                    within(wanted, wanted.earliest(), Optional.of(end)));
        }
    }

    private void earlier(AgreementRequest wanted) throws InterruptedException {
        var earliest = wanted.earliest().filter(e -> e.isAfter(soonest));
        if (earliest.isEmpty() || wanted.deadline().isEmpty()) {
            return;
        }
        long minutes = Duration.between(soonest, earliest.get()).toMinutes();
        // The larger the delay, the nearer to the wanted start.
        LongFunction<AgreementRequest> at = delay -> within(
                wanted, Optional.of(earliest.get().minus(Duration.ofMinutes(minutes - delay))), wanted.deadline());
        Function<AgreementRequest, String> words =
                request -> "from " + request.earliest().get() + " on instead of " + earliest.get();
        largest("earlier", 0, minutes, at, words);
    }

    /** A shorter duration, if all parts want the same one. */
    private void shorter(AgreementRequest wanted) throws InterruptedException {
        var longest = wanted.parts().stream()
                .map(part -> part.request().duration())
                .max(Duration::compareTo)
                .orElseThrow();
        if (wanted.parts().stream().anyMatch(part -> !part.request().duration().equals(longest))) {
            return;
        }
        var unit = longest.toMinutes() > 1 ? Duration.ofMinutes(1) : Duration.ofSeconds(1);
        LongFunction<AgreementRequest> at =
                units -> changed(wanted, part -> part.request().lasting(unit.multipliedBy(units)));
        Function<AgreementRequest, String> words =
                request -> "for " + request.parts().get(0).request().duration() + " instead of " + longest;
        largest("shorter", 1, longest.dividedBy(unit), at, words);
    }

    /** A smaller amount in one kind of part; if that helps for no kind, in all parts alike. */
    private void fewer(AgreementRequest wanted) throws InterruptedException {
        int before = nearest.size();
        for (var kind : kinds(wanted)) {
            LongFunction<AgreementRequest> at =
                    amount -> changed(wanted, part -> isOfKind(part, kind) ? with(part, amount) : part.request());
            int index = wanted.parts().indexOf(kind);
            int most = kind.request().need().amount();
            String end = kind.site().map(site -> " at " + site).orElse("") + " instead of " + most;
            largest(
                    "fewer",
                    1,
                    most,
                    at,
                    request -> request.parts().get(index).request().need().words() + end);
        }
        if (nearest.size() == before && kinds(wanted).size() > 1) {
            LongFunction<AgreementRequest> at = share -> changed(
                    wanted, part -> with(part, Math.max(1, part.request().need().amount() * share / FINENESS)));
            largest("fewer", 0, FINENESS, at, request -> "all parts smaller");
        }
    }

    private static ResourceRequest with(RequestedPart part, long amount) {
        // The pieces of a split part add up to a multiple, and to one piece at least.
        int least = part.split().map(SplitRequest::leastPiece).orElse(1);
        int multiple = part.split().map(SplitRequest::multipleOf).orElse(1);
        long whole = Math.max(amount / multiple, (least + multiple - 1) / multiple) * multiple;
        return part.request().of(part.request().need().withAmount((int) whole));
    }

    /** The first part of each kind. Parts of one kind are changed together, as a change of one alone would not help. */
    private static List<RequestedPart> kinds(AgreementRequest wanted) {
        var kinds = new ArrayList<RequestedPart>();
        for (var part : wanted.parts()) {
            if (kinds.stream().noneMatch(kind -> isOfKind(part, kind))) {
                kinds.add(part);
            }
        }
        return kinds;
    }

    private static boolean isOfKind(RequestedPart part, RequestedPart kind) {
        return part.site().equals(kind.site())
                && part.request().need().equals(kind.request().need())
                && part.requirements().equals(kind.requirements());
    }

    private static long countOf(RequestedPart kind, AgreementRequest request) {
        return request.parts().stream().filter(part -> isOfKind(part, kind)).count();
    }

    private void fewerSites(AgreementRequest wanted) throws InterruptedException {
        for (var kind : kinds(wanted)) {
            long alike = countOf(kind, wanted);
            if (alike < 2
                    || kind.site().isPresent()
                    || refersToOthers(wanted)
                    || !wanted.lags().isEmpty()) {
                continue;
            }
            LongFunction<AgreementRequest> at = sites -> {
                var left = new ArrayList<RequestedPart>();
                long taken = 0;
                for (var part : wanted.parts()) {
                    if (!isOfKind(part, kind) || taken++ < sites) {
                        left.add(part);
                    }
                }
                return wanted.with(left, wanted.earliest(), wanted.deadline());
            };
            largest("sites", 1, alike, at, request -> countOf(kind, request) + " sites instead of " + alike);
        }
    }

    private void relaxed(AgreementRequest wanted) throws InterruptedException {
        var seen = new LinkedHashSet<String>();
        for (var part : wanted.parts()) {
            if (part.site().isPresent() || !seen.add(part.requirements().orElse("true"))) {
                continue;
            }
            for (var clause : negotiator.feasible().selector().clauses(wanted, List.of(part))) {
                for (var easier : clause.easier()) {
                    var request = parts(
                            wanted,
                            other -> other.site().isEmpty()
                                            && other.requirements().equals(part.requirements())
                                    ? other.with(other.request(), Optional.of(easier))
                                    : other);
                    if (suggest(
                            "relaxed",
                            "where " + easier + " instead of "
                                    + part.requirements().orElse(""),
                            request)) {
                        break;
                    }
                }
            }
        }
    }

    private void elsewhere(AgreementRequest wanted) throws InterruptedException {
        if (wanted.parts().stream().allMatch(part -> part.site().isEmpty()) || refersToOthers(wanted)) {
            return;
        }
        var anywhere = parts(wanted, part -> part.site().isEmpty() ? part : part.anywhere());
        suggest("elsewhere", "wherever there is room", anywhere);
    }

    /** Whether requirements refer to another part: they do so by its number, which changes with the number of open parts. */
    private static boolean refersToOthers(AgreementRequest wanted) {
        return wanted.parts().stream()
                .anyMatch(part -> part.requirements()
                        .filter(r -> r.matches("(?is).*\\bpart\\d.*"))
                        .isPresent());
    }

    /**
     * Suggests the request with the largest value from {@code least} to below {@code wanted} that would be granted, if one would.
     *
     * @param change kind of the change, in one word
     * @param at the request with a value
     * @param words description of a request, for people
     */
    private void largest(
            String change,
            long least,
            long wanted,
            LongFunction<AgreementRequest> at,
            Function<AgreementRequest, String> words)
            throws InterruptedException {
        if (least >= wanted) {
            return;
        }
        var best = at.apply(least);
        var way = probe(best);
        if (way.isEmpty()) {
            return;
        }
        long low = least;
        long high = wanted;
        while (high - low > Math.max(1, wanted / FINENESS)) {
            long mid = (low + high) >>> 1;
            var request = at.apply(mid);
            var better = probe(request);
            if (better.isPresent()) {
                low = mid;
                best = request;
                way = better;
            } else {
                high = mid;
            }
        }
        nearest.add(new Nearest(change, words.apply(best), best, way.get()));
    }

    private static AgreementRequest changed(AgreementRequest wanted, Function<RequestedPart, ResourceRequest> change) {
        return parts(wanted, part -> part.with(change.apply(part), part.requirements()));
    }

    private static AgreementRequest parts(AgreementRequest wanted, UnaryOperator<RequestedPart> other) {
        return wanted.with(wanted.parts().stream().map(other).toList(), wanted.earliest(), wanted.deadline());
    }

    private static AgreementRequest within(
            AgreementRequest wanted, Optional<Instant> earliest, Optional<Instant> deadline) {
        return wanted.with(wanted.parts(), earliest, deadline);
    }
}
