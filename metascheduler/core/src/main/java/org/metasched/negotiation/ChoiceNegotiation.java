package org.metasched.negotiation;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.metasched.adapter.LocalScheduler;
import org.metasched.adapter.LocalSchedulerException;
import org.metasched.adapter.RequestKey;
import org.metasched.adapter.ResourceRequest;
import org.metasched.adapter.SiteId;
import org.metasched.adapter.TimeSlot;
import org.metasched.choice.Choice;
import org.metasched.choice.ChoiceBranch;
import org.metasched.choice.ChoicePart;
import org.metasched.choice.Decision;
import org.metasched.choice.Option;
import org.metasched.choice.Plan;
import org.metasched.negotiation.ChoiceRequest.OpenPart;
import org.metasched.negotiation.ChoiceRequest.Place;
import org.metasched.negotiation.CoAllocationRequest.SitePart;
import org.metasched.negotiation.KnownPlace.Asked;
import org.metasched.negotiation.NegotiationOutcome.Abandoned;
import org.metasched.negotiation.NegotiationOutcome.CoAllocated;
import org.metasched.negotiation.NegotiationOutcome.NoCommonSlot;
import org.metasched.negotiation.NegotiationOutcome.Why;
import org.metasched.negotiation.ReservationAttempt.End;
import org.metasched.sites.SiteCalls;
import org.metasched.sites.SiteCalls.Answer;
import org.metasched.sites.SiteCalls.Call;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One negotiation over candidates: asks all of them for their windows in one parallel round, decides over the windows, and reserves the
 * best plan. A refusal costs the candidate that refused: it is asked again, and the next best plan is tried at once (by Listing 1, from the
 * latest effective start on).
 * Holds no lock while a site is asked. For one use, by one thread.
 */
final class ChoiceNegotiation {

    private static final Logger LOG = LoggerFactory.getLogger(ChoiceNegotiation.class);

    private static final String UNPROVEN = "\nThat is not proven: the search was cut off after " + Choice.MOST_STEPS
            + " steps.\nMaybe fewer candidates or parts, or a start that is given, help.";

    /** Sizes that a place is asked about at once between two others. */
    private static final int FINER = 9;

    private final SiteCalls calls;
    private final ReservationJournal journal;
    private final OrphanSweeper sweeper;
    private final SearchStrategy strategy;
    private final NegotiationBudget budget;
    private final Clock clock;
    private final String name;
    private final ChoiceRequest request;
    private final long begun = System.nanoTime();
    private final long latest;
    private final Map<Asked, KnownPlace> known = new LinkedHashMap<>();
    /** The sizes that a site was asked about, by its name and the whole request of a part. */
    private final Map<Asked, TreeSet<Integer>> sizes = new HashMap<>();

    private final List<RequestKey> stranded = new ArrayList<>();
    private Instant notBefore;
    private int rounds;
    private int callCount;
    private int attempts;
    private SiteId cause = new SiteId("none");
    private String refusal = "";
    private boolean proven = true;

    ChoiceNegotiation(
            SiteCalls calls,
            ReservationJournal journal,
            OrphanSweeper sweeper,
            SearchStrategy strategy,
            NegotiationBudget budget,
            Clock clock,
            String name,
            ChoiceRequest request) {
        this.calls = calls;
        this.journal = journal;
        this.sweeper = sweeper;
        this.strategy = strategy;
        this.budget = budget;
        this.clock = clock;
        this.name = name;
        this.request = request;
        this.notBefore = request.earliest();
        this.latest = request.latestStart().getEpochSecond();
        Instant now = clock.instant();
        for (var branch : request.branches()) {
            for (int i = 0; i < branch.parts().size(); i++) {
                var part = branch.parts().get(i);
                long head = branch.timing().head(i).toSeconds();
                long last = branch.deadline().minus(branch.timing().tail(i)).getEpochSecond();
                for (var place : part.places()) {
                    sizes.put(new Asked(place.site(), part.request()), new TreeSet<>(part.sizes()));
                    part.sizes().forEach(size -> know(new Asked(place.site(), part.sized(size)), head, last, now));
                }
            }
        }
    }

    private void know(Asked asked, long head, long last, Instant now) {
        Instant horizon = calls.directory().get(asked.site()).previewWindow().endFrom(now);
        known.computeIfAbsent(asked, KnownPlace::new).matters(head, last, horizon.getEpochSecond());
        cause = attempts == 0 ? asked.site() : cause;
    }

    ChoiceOutcome run() throws InterruptedException {
        ask(List.copyOf(known.values()), soonest());
        boolean askedTwice = false;
        while (took().compareTo(budget.longest()) < 0 && rounds < budget.mostRounds()) {
            long from = soonest();
            Decision decision = decide(from, 1);
            proven &= decision.proven();
            if (decision.best().isEmpty()) {
                var silent =
                        known.values().stream().filter(KnownPlace::mayRecover).toList();
                if (askedTwice || silent.isEmpty()) {
                    return none();
                }
                askedTwice = true;
                ask(silent, from);
                continue;
            }
            Plan plan = decision.best().get();
            var doubtful = doubtful(plan);
            if (!doubtful.isEmpty()) {
                ask(doubtful);
                continue;
            }
            var made = attempt(plan);
            if (made.isPresent()) {
                return new ChoiceOutcome(made.get(), plan.branch(), partsOf(plan), "");
            }
        }
        String reason = "Given up after " + attempts + " attempts in " + took().toSeconds() + " s. " + refusal;
        var why = attempts > 0 ? Why.OUTRUN : Why.BUDGET_SPENT;
        return new ChoiceOutcome(new Abandoned(cause, why, reason, stranded, effort()), reason);
    }

    /** The best plans; nothing is held. A plan is sure when every place of it has said so itself. */
    ChoicePlans plan(int most) throws InterruptedException {
        long from = soonest();
        ask(List.copyOf(known.values()), from);
        while (true) {
            Decision decision = decide(from, most);
            var unsure = decision.plans().stream()
                    .filter(plan -> !doubtful(plan).isEmpty())
                    .findFirst();
            boolean spent = took().compareTo(budget.longest()) >= 0 || rounds >= budget.mostRounds();
            if (unsure.isEmpty() || spent) {
                var sure = decision.plans().stream()
                        .filter(plan -> doubtful(plan).isEmpty())
                        .toList();
                boolean proven = decision.proven() && unsure.isEmpty();
                return new ChoicePlans(sure, proven, sure.isEmpty() ? whyNone(proven) : "", effort());
            }
            ask(doubtful(unsure.get()));
        }
    }

    private String whyNone(boolean proven) {
        String words = new Binding(request, known, soonest(), latest).words();
        return proven ? words : words + UNPROVEN;
    }

    private Decision decide(long from, int most) {
        var branches = new ArrayList<ChoiceBranch>();
        for (var branch : request.branches()) {
            long earliest = branch.earliest().plusNanos(999_999_999).getEpochSecond();
            long first = earliest > from ? earliest : 0;
            var parts = new ArrayList<ChoicePart>();
            for (int i = 0; i < branch.parts().size(); i++) {
                var part = branch.parts().get(i);
                long last = branch.deadline().minus(branch.timing().tail(i)).getEpochSecond();
                var options = part.places().stream()
                        .flatMap(place -> options(part, place, first, last))
                        .toList();
                parts.add(part.split()
                        .map(split -> ChoicePart.split(
                                part.request().need().amount(),
                                split.mostPieces(),
                                split.leastPiece(),
                                split.multipleOf(),
                                options))
                        .orElseGet(() -> ChoicePart.oneOf(options)));
            }
            branches.add(new ChoiceBranch(
                    parts,
                    branch.rules(),
                    branch.timing().stages(),
                    branch.timing().network(),
                    branch.delay().toSeconds()));
        }
        return Choice.decide(branches, from, latest, request.preference(), most, Choice.MOST_STEPS);
    }

    /**
     * The sizes that a place was asked about. Where it has more windows for one than for the next, it may have them for all between,
     * as long as it has not been asked: a plan that counts on that is {@linkplain #doubtful doubtful}.
     */
    private Stream<Option> options(OpenPart part, Place place, long first, long last) {
        var asked = sizesOf(part, place);
        return asked.stream().flatMap(size -> {
            var at = knownOf(part, place, size);
            Integer next = asked.higher(size);
            int between = next == null
                    ? size
                    : (next - 1)
                            / part.split().orElseThrow().multipleOf()
                            * part.split().orElseThrow().multipleOf();
            boolean mayHave = between > size
                    && !at.starts().equals(knownOf(part, place, next).starts());
            return Stream.of(size, between)
                    .limit(mayHave ? 2 : 1)
                    .map(amount -> option(at, place, amount, first, last));
        });
    }

    private static Option option(KnownPlace known, Place place, int amount, long first, long last) {
        var starts = first > 0 ? known.starts().without(0, first - 1) : known.starts();
        var inTime = last < known.latest() ? starts.without(last + 1, Long.MAX_VALUE - 1) : starts;
        return new Option(place.advertised(), amount, inTime, place.rank(), place.cost(), place);
    }

    private TreeSet<Integer> sizesOf(OpenPart part, Place place) {
        return Objects.requireNonNull(sizes.get(new Asked(place.site(), part.request())));
    }

    private KnownPlace knownOf(OpenPart part, Place place, int size) {
        var found = known.get(new Asked(place.site(), part.sized(size)));
        if (found == null) {
            throw new IllegalStateException("Place " + place + " was never asked.");
        }
        return found;
    }

    /** What a plan takes of a place, which may be less than it was asked about, and when. */
    private record Chosen(KnownPlace place, ResourceRequest request, long start) {}

    private List<Chosen> chosen(Plan plan) {
        var parts = request.branches().get(plan.branch()).parts();
        var chosen = new ArrayList<Chosen>();
        for (int i = 0; i < parts.size(); i++) {
            for (var pick : plan.picks().get(i)) {
                chosen.add(chosen(parts.get(i), pick, plan.starts().get(i)));
            }
        }
        return chosen;
    }

    private Chosen chosen(OpenPart part, Option pick, long start) {
        var place = (Place) pick.tag();
        var asked = sizesOf(part, place);
        var known = asked.tailSet(pick.amount()).stream()
                .map(size -> knownOf(part, place, size))
                .filter(one -> one.isUnasked() || one.starts().contains(start))
                .findFirst()
                .orElseGet(() -> finer(part, place, pick.amount(), start));
        return new Chosen(known, part.sized(pick.amount()), start);
    }

    /** Will ask a place about an amount between two that it was asked about, and about some more between them. */
    private KnownPlace finer(OpenPart part, Place place, int amount, long start) {
        var asked = sizesOf(part, place);
        int multiple = part.split().orElseThrow().multipleOf();
        int low = Objects.requireNonNull(asked.lower(amount));
        int high = Objects.requireNonNull(asked.higher(amount));
        var like = knownOf(part, place, low);
        var finer = IntStream.rangeClosed(1, FINER)
                .map(i -> (low + (int) ((long) (high - low) * i / (FINER + 1))) / multiple * multiple)
                .filter(size -> size > low);
        IntStream.concat(finer, IntStream.of(amount))
                .distinct()
                .filter(asked::add)
                .forEach(size -> {
                    var one = like.forAmount(part.sized(size), start);
                    known.putIfAbsent(one.asked(), one);
                });
        return knownOf(part, place, amount);
    }

    /** The part that each pick serves. */
    private static List<Integer> partsOf(Plan plan) {
        var parts = new ArrayList<Integer>();
        for (int i = 0; i < plan.picks().size(); i++) {
            parts.addAll(Collections.nCopies(plan.picks().get(i).size(), i));
        }
        return parts;
    }

    /** What a plan wants of places that have not said so: each with the first such start. */
    private List<Chosen> doubtful(Plan plan) {
        Map<KnownPlace, Chosen> doubtful = new LinkedHashMap<>();
        var chosen = chosen(plan);
        chosen.stream()
                .filter(one -> !one.place().isUnasked() && !one.place().isCertain(one.start()))
                .forEach(one -> doubtful.merge(
                        one.place(), one, (first, other) -> first.start() <= other.start() ? first : other));
        if (chosen.stream().anyMatch(one -> one.place().isUnasked())) {
            long from = soonest();
            known.values().stream()
                    .filter(KnownPlace::isUnasked)
                    .forEach(
                            one -> doubtful.put(one, new Chosen(one, one.asked().request(), one.firstWanted(from))));
        }
        return List.copyOf(doubtful.values());
    }

    private void ask(Collection<KnownPlace> places, long from) throws InterruptedException {
        ask(places.stream()
                .map(place -> new Chosen(place, place.asked().request(), from + place.head()))
                .toList());
    }

    /** One parallel round. What fails is out until all others have failed, too. */
    private void ask(List<Chosen> places) throws InterruptedException {
        rounds++;
        List<Call<Said>> questions = new ArrayList<>();
        for (var one : places) {
            questions.add(new Call<>(one.place().asked().site(), site -> ask(site, one.place(), one.start())));
        }
        callCount += questions.size();
        var answers = calls.askAll(questions);
        for (int i = 0; i < places.size(); i++) {
            hear(places.get(i).place(), answers.get(i));
        }
    }

    private static void hear(KnownPlace place, Answer<Said> answer) {
        boolean heard = answer.fold(
                said -> {
                    said.tell(place);
                    return true;
                },
                problem -> {
                    place.fail(problem);
                    return false;
                });
        LOG.debug("Site {} answered: {}", place.asked().site(), heard);
    }

    /** An answer, which is taken in by the negotiation's own thread. */
    @FunctionalInterface
    private interface Said {
        void tell(KnownPlace place);
    }

    private static Said ask(LocalScheduler site, KnownPlace place, long from) throws LocalSchedulerException {
        var asked = place.asked();
        Instant earliest = Instant.ofEpochSecond(from);
        var listing = site.windowListing();
        if (from > place.latest()) {
            return known -> known.learn(from, Optional.empty());
        }
        if (listing.isPresent()) {
            // One second more than the last start, as a slot is never empty.
            Instant end = Instant.ofEpochSecond(place.latest() + 1);
            var windows = listing.get().freeWindows(asked.request(), new TimeSlot(earliest, end));
            return known -> known.learn(windows);
        }
        var first = site.earliestStart(asked.request(), earliest);
        return known -> known.learn(from, first);
    }

    private Optional<NegotiationOutcome> attempt(Plan plan) throws InterruptedException {
        attempts++;
        var places = chosen(plan);
        var parts = places.stream()
                .map(one -> new SitePart(
                        one.place().asked().site(), one.request(), Duration.ofSeconds(one.start() - plan.start())))
                .toList();
        Instant start = Instant.ofEpochSecond(plan.start());
        var attempt = new ReservationAttempt(journal, calls, sweeper, clock, name + "-" + attempts, parts, start);
        End end;
        try {
            end = attempt.run();
        } finally {
            callCount += attempt.calls();
        }
        return end.<Optional<NegotiationOutcome>, InterruptedException>fold(
                confirmed -> Optional.of(new CoAllocated(start, confirmed.reservations(), effort())),
                undone -> goOn(plan.start(), places, undone));
    }

    /** Asks those that refused again; what they say is true but for the start that they refused. */
    private Optional<NegotiationOutcome> goOn(long start, List<Chosen> places, End.Undone undone)
            throws InterruptedException {
        cause = undone.cause();
        refusal = undone.reason();
        stranded.addAll(undone.stranded());
        LOG.info("Negotiation {}: start {} failed. {}", name, Instant.ofEpochSecond(start), refusal);
        var losers = undone.losers().stream().map(places::get).distinct().toList();
        ask(losers.stream().map(Chosen::place).distinct().toList(), soonest());
        for (var loser : losers) {
            var site = calls.directory().get(loser.place().asked().site());
            var grid = site.previewWindow().grid();
            known.values().stream()
                    .filter(place -> place.asked().isAsMuchAs(loser.place().asked()))
                    .forEach(place -> place.refused(loser.start(), grid));
        }
        if (strategy == SearchStrategy.LISTING1) {
            notBefore = undone.again();
        }
        return Optional.empty();
    }

    private ChoiceOutcome none() {
        var failed = known.values().stream()
                .filter(place -> place.problem().isPresent())
                .findFirst();
        String reason = whyNone(proven);
        if (failed.isPresent()
                && known.values().stream().allMatch(p -> p.problem().isPresent())) {
            return new ChoiceOutcome(
                    new Abandoned(failed.get().asked().site(), Why.SITE_UNAVAILABLE, reason, stranded, effort()),
                    reason);
        }
        if (attempts > 0) {
            String lost = reason + "\n" + refusal;
            return new ChoiceOutcome(new Abandoned(cause, Why.OUTRUN, lost, stranded, effort()), lost);
        }
        boolean byPreview = known.values().stream().allMatch(KnownPlace::isCut);
        long limit = byPreview
                ? known.values().stream().mapToLong(KnownPlace::latest).max().orElse(latest)
                : latest;
        return new ChoiceOutcome(new NoCommonSlot(cause, Instant.ofEpochSecond(limit), byPreview, effort()), reason);
    }

    /** Whole seconds, as the coarsest clock among the schedulers counts. */
    private long soonest() {
        Instant lead = budget.leadFrom(clock.instant(), request.latestStart());
        Instant later = notBefore.isAfter(lead) ? notBefore : lead;
        Instant whole = later.truncatedTo(ChronoUnit.SECONDS);
        return whole.equals(later) ? whole.getEpochSecond() : whole.getEpochSecond() + 1;
    }

    private Duration took() {
        return Duration.ofNanos(System.nanoTime() - begun);
    }

    private NegotiationEffort effort() {
        return new NegotiationEffort(rounds, callCount, attempts, took());
    }
}
