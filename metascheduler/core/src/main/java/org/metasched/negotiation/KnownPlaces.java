package org.metasched.negotiation;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.LongUnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.metasched.adapter.LocalScheduler;
import org.metasched.adapter.LocalSchedulerException;
import org.metasched.adapter.LocalSchedulerException.Unreachable;
import org.metasched.adapter.ResourceRequest;
import org.metasched.adapter.SiteId;
import org.metasched.adapter.TimeSlot;
import org.metasched.choice.Choice;
import org.metasched.choice.ChoiceBranch;
import org.metasched.choice.ChoiceDecision;
import org.metasched.choice.ChoicePart;
import org.metasched.choice.PlaceOption;
import org.metasched.choice.Plan;
import org.metasched.negotiation.ChoiceRequest.OpenPart;
import org.metasched.negotiation.ChoiceRequest.Place;
import org.metasched.negotiation.KnownPlace.Asked;
import org.metasched.sites.SiteCalls;
import org.metasched.sites.SiteCalls.Call;

/** Answers of all places of a request so far, the decision that they allow, and the questions that remain. Not thread-safe. */
final class KnownPlaces {

    /** Number of further sizes between two that a place is asked about at once. */
    private static final int SIZES_BETWEEN = 9;

    /** @param whole question for the whole amount of the part */
    private record PartQuestion(Asked whole, Optional<SplitRequest> split) {}

    private final SiteCalls calls;
    final ChoiceRequest request;
    private final List<Duration> offsets;
    private final boolean asksWindows;
    private final Map<Asked, KnownPlace> known = new LinkedHashMap<>();
    /** The sizes about which a site is asked. For parts that may be split, more are added as the search goes on. */
    private final Map<PartQuestion, TreeSet<Integer>> sizes = new HashMap<>();

    /** Sites that are the only place of some part: their answers are waited for. */
    private final Set<SiteId> needed = new HashSet<>();

    private int callCount;
    /** Whether every decision so far was the best there is. */
    private boolean isProven = true;

    /**
     * @param offsets offsets of the parts from the common start, if each part has questions of its own; if empty, parts that want the same of
     *     a site share one question
     * @param asksWindows whether sites are asked for all their starts where they can list them
     */
    KnownPlaces(NegotiationContext context, ChoiceRequest request, List<Duration> offsets, boolean asksWindows) {
        this.calls = context.calls();
        this.request = request;
        this.offsets = offsets;
        this.asksWindows = asksWindows;
        Instant now = context.clock().instant();
        for (var branch : request.branches()) {
            for (int i = 0; i < branch.parts().size(); i++) {
                if (kind(branch, i) < i) {
                    continue;
                }
                var part = branch.parts().get(i);
                var shared = new TreeSet<>(part.sizes());
                long head = branch.timing().head(i).toSeconds();
                long last = branch.deadline().minus(branch.timing().tail(i)).getEpochSecond();
                if (part.places().size() == 1) {
                    needed.add(part.places().get(0).site());
                }
                for (var place : part.places()) {
                    var question = new PartQuestion(key(i, place, part.request()), part.split());
                    sizes.put(question, part.split().isPresent() ? new TreeSet<>(shared) : shared);
                    var preview = calls.directory().get(place.site()).previewWindow();
                    for (int size : shared) {
                        var asked = key(i, place, part.sized(size));
                        var offset = offsets.isEmpty() ? Duration.ZERO : offsets.get(i);
                        known.computeIfAbsent(asked, k -> new KnownPlace(k, offset))
                                .addPart(head, last, preview.endFrom(now).getEpochSecond());
                    }
                }
            }
        }
    }

    /** A request to a place, with its start. In a plan it may be for less than the amount that the place was asked about. */
    record PlacedRequest(KnownPlace place, ResourceRequest request, long start) {}

    /**
     * The question to a place. The amount that other parts hold there ({@link Place#beside}) is added to the request if the place is an
     * advertised offer, which others may replace. Else it stays beside, as {@link Asked#together} may fall back to the request alone.
     */
    private Asked key(int part, Place place, ResourceRequest asked) {
        int beside = place.advertised().isEmpty() ? place.beside() : 0;
        var need = asked.need().withAmount(asked.need().amount() + place.beside() - beside);
        return new Asked(place.site(), asked.of(need), beside, offsets.isEmpty() ? 0 : part);
    }

    Collection<KnownPlace> known() {
        return known.values();
    }

    /** The places that had no answer when they were asked last. */
    List<KnownPlace> failed() {
        return known.values().stream()
                .filter(place -> place.problem().isPresent())
                .toList();
    }

    SiteId site(int index) {
        return List.copyOf(known.keySet()).get(index).site();
    }

    /** The site of the place that was named last. */
    SiteId lastSite() {
        return known.isEmpty() ? new SiteId("none") : site(known.size() - 1);
    }

    /** For each place, the function from an instant to its next start at or after it. */
    List<LongUnaryOperator> nextStarts() {
        return known.values().stream()
                .<LongUnaryOperator>map(place -> place::next)
                .toList();
    }

    /** Number of messages to sites so far. */
    int calls() {
        return callCount;
    }

    void countCalls(int more) {
        callCount += more;
    }

    /** Forgets all answers, but not the starts that places refused. */
    void forget() {
        known.values().forEach(KnownPlace::forget);
    }

    /** Excludes starts that places had named and did not confirm. */
    void exclude(List<PlacedRequest> losers) {
        for (var loser : losers) {
            var refused = loser.place().asked;
            var grid = calls.directory().get(refused.site()).previewWindow().grid();
            known.values().stream()
                    .filter(place -> place.asked.isAsMuchAs(refused))
                    .forEach(place -> place.exclude(loser.start(), grid));
        }
    }

    /** Decides by the answers so far: the best plans, at most {@code most}, that begin at {@code from} (seconds since the epoch) or later. */
    ChoiceDecision decide(long from, int most) {
        var branches =
                request.branches().stream().map(branch -> branch(branch, from)).toList();
        long latest = request.latestStart().getEpochSecond();
        var decision = Choice.decide(branches, from, latest, request.preference(), most, Choice.MOST_STEPS);
        isProven &= decision.proven();
        return decision;
    }

    /** Whether every decision so far was the best there is. */
    boolean isProven() {
        return isProven;
    }

    private ChoiceBranch branch(ChoiceRequest.Branch branch, long from) {
        long earliest = KnownPlace.roundedUp(branch.earliest());
        // 0: the search itself leaves out starts before "from".
        long first = earliest > from ? earliest : 0;
        var kinds = new HashMap<Integer, ChoicePart>();
        var parts = IntStream.range(0, branch.parts().size())
                .mapToObj(i -> kinds.computeIfAbsent(kind(branch, i), k -> part(branch, i, first)))
                .toList();
        var timing = branch.timing();
        long delay = branch.delay().toSeconds();
        return new ChoiceBranch(parts, branch.rules(), timing.stages(), timing.network(), delay, branch.order());
    }

    /** The index of the first part with the same questions and options as a part. */
    private int kind(ChoiceRequest.Branch branch, int index) {
        var part = branch.parts().get(index);
        var stages = branch.timing().stages();
        int first = offsets.isEmpty() ? 0 : index;
        while (first < index
                && !(stages.get(first).equals(stages.get(index))
                        && branch.parts().get(first).isLike(part))) {
            first++;
        }
        return first;
    }

    private ChoicePart part(ChoiceRequest.Branch branch, int index, long first) {
        var part = branch.parts().get(index);
        long last = branch.deadline().minus(branch.timing().tail(index)).getEpochSecond();
        var options = part.places().stream()
                .flatMap(place -> options(index, part, place, first, last))
                .toList();
        if (part.split().isEmpty()) {
            return ChoicePart.oneOf(options);
        }
        var split = part.split().get();
        int total = part.request().need().amount();
        return ChoicePart.split(total, split.mostPieces(), split.leastPiece(), split.multipleOf(), options);
    }

    /**
     * The options of a place for a part: one for each size about which it is asked. Between two sizes with different starts, the place may
     * still have the starts of the smaller one. So there is a second option, for the largest amount below the next size. A plan with it is
     * {@linkplain #doubtful doubtful}.
     */
    private Stream<PlaceOption> options(int index, OpenPart part, Place place, long first, long last) {
        var asked = sizesOf(index, part, place);
        int multiple = part.split().map(SplitRequest::multipleOf).orElse(1);
        return asked.stream().flatMap(size -> {
            var at = of(index, part, place, size);
            Integer next = asked.higher(size);
            int between = next == null ? size : (next - 1) / multiple * multiple;
            boolean mayHave = between > size
                    && !at.starts().equals(of(index, part, place, next).starts());
            return Stream.of(size, between)
                    .limit(mayHave ? 2 : 1)
                    .map(amount -> option(at, place, amount, first, last));
        });
    }

    private static PlaceOption option(KnownPlace known, Place place, int amount, long first, long last) {
        var starts = first > 0 ? known.starts().without(0, first - 1) : known.starts();
        var inTime = last < known.latest() ? starts.without(last + 1, Long.MAX_VALUE - 1) : starts;
        return new PlaceOption(place.advertised(), amount, inTime, place.rank(), place.cost(), place);
    }

    private TreeSet<Integer> sizesOf(int index, OpenPart part, Place place) {
        return Objects.requireNonNull(sizes.get(new PartQuestion(key(index, place, part.request()), part.split())));
    }

    /** Known starts of a place of a part, for a size that it was asked about. */
    KnownPlace of(int index, OpenPart part, Place place, int size) {
        var knownPlace = known.get(key(index, place, part.sized(size)));
        if (knownPlace == null) {
            throw new IllegalStateException("Place " + place + " was never asked.");
        }
        return knownPlace;
    }

    /** Requests of a plan, in the order of the parts. */
    List<PlacedRequest> chosen(Plan plan) {
        var parts = request.branches().get(plan.branch()).parts();
        var chosen = new ArrayList<PlacedRequest>();
        for (int i = 0; i < parts.size(); i++) {
            for (var pick : plan.picks().get(i)) {
                chosen.add(chosen(i, parts.get(i), pick, plan.starts().get(i)));
            }
        }
        return chosen;
    }

    private PlacedRequest chosen(int index, OpenPart part, PlaceOption pick, long start) {
        var place = (Place) pick.tag();
        var asked = sizesOf(index, part, place);
        var known = asked.tailSet(pick.amount()).stream()
                .map(size -> of(index, part, place, size))
                .filter(answered -> answered.isUnasked() || answered.starts().contains(start))
                .findFirst()
                .orElseGet(() -> addSizes(index, part, place, pick.amount(), start));
        return new PlacedRequest(known, part.sized(pick.amount()), start);
    }

    /** Adds questions to a place about an amount between two that it was asked about, and about {@link #SIZES_BETWEEN} more between them. */
    private KnownPlace addSizes(int index, OpenPart part, Place place, int amount, long start) {
        var asked = sizesOf(index, part, place);
        int multiple = part.split().orElseThrow().multipleOf();
        int low = Objects.requireNonNull(asked.lower(amount));
        int high = Objects.requireNonNull(asked.higher(amount));
        var like = of(index, part, place, low);
        var finer = IntStream.rangeClosed(1, SIZES_BETWEEN)
                .map(i -> (low + (int) ((long) (high - low) * i / (SIZES_BETWEEN + 1))) / multiple * multiple)
                .filter(size -> size > low);
        IntStream.concat(finer, IntStream.of(amount))
                .distinct()
                .filter(asked::add)
                .forEach(size -> {
                    var question = like.forAmount(key(index, place, part.sized(size)), start);
                    known.putIfAbsent(question.asked, question);
                });
        return of(index, part, place, amount);
    }

    /**
     * Requests of a plan at starts that their places have not named: for each place the earliest. If some place of the plan was never asked,
     * all places that never were are added.
     */
    List<PlacedRequest> doubtful(Plan plan, long from) {
        Map<KnownPlace, PlacedRequest> doubtful = new LinkedHashMap<>();
        var chosen = chosen(plan);
        chosen.stream()
                .filter(placed -> !placed.place().isUnasked() && !placed.place().isCertain(placed.start()))
                .forEach(placed -> doubtful.merge(
                        placed.place(), placed, (first, other) -> first.start() <= other.start() ? first : other));
        if (chosen.stream().anyMatch(placed -> placed.place().isUnasked())) {
            known.values().stream()
                    .filter(KnownPlace::isUnasked)
                    .forEach(place -> doubtful.put(
                            place, new PlacedRequest(place, place.asked.request(), place.firstWanted(from))));
        }
        return List.copyOf(doubtful.values());
    }

    /** A question to each place, from the first start on that matters there. */
    List<PlacedRequest> all(long from) {
        return questions(known.values(), from);
    }

    /** A question to each of some places, from the first start on that matters there. */
    List<PlacedRequest> questions(Collection<KnownPlace> some, long from) {
        return some.stream()
                .map(place -> new PlacedRequest(place, place.asked.request(), from + place.head()))
                .toList();
    }

    /** Asks in one parallel round. A place that fails has no starts until it is asked again. */
    void ask(List<PlacedRequest> questions) throws InterruptedException {
        var calling = new ArrayList<Call<Consumer<KnownPlace>>>();
        for (var question : questions) {
            boolean isOptional =
                    offsets.isEmpty() && !needed.contains(question.place().asked.site());
            var place = question.place();
            calling.add(new Call<>(place.asked.site(), site -> ask(site, place, question.start()), isOptional));
        }
        callCount += calling.size();
        var answers = calls.askAll(calling);
        for (int i = 0; i < answers.size(); i++) {
            var place = questions.get(i).place();
            answers.get(i)
                    .fold(learned -> learned, problem -> known -> known.fail(problem))
                    .accept(place);
        }
    }

    /** Asks a site; the answer is a change of the known place, which the negotiation's own thread makes. */
    private Consumer<KnownPlace> ask(LocalScheduler site, KnownPlace place, long from) throws LocalSchedulerException {
        if (from > place.latest()) {
            return known -> known.learn(from, Optional.empty());
        }
        Instant earliest = Instant.ofEpochSecond(from).plus(place.offset);
        var wanted = place.asked.together(site, earliest);
        var listing = site.windowListing();
        if (asksWindows && listing.isPresent()) {
            // One second more than the last start, as a slot excludes its end.
            Instant end = Instant.ofEpochSecond(place.latest() + 1).plus(place.offset);
            var windows = listing.get().freeWindows(wanted, new TimeSlot(earliest, end));
            return known -> known.learn(windows);
        }
        var first = site.earliestStart(wanted, earliest);
        if (first.filter(start -> start.isBefore(earliest)).isPresent()) {
            throw new Unreachable("Site " + site.site() + " answered with the start " + first.get()
                    + ", which is before " + earliest + " that it was asked for (rule A1).");
        }
        return known -> known.learn(from, first);
    }
}
