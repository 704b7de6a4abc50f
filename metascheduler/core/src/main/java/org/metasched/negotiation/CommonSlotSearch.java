package org.metasched.negotiation;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.metasched.adapter.FreeWindows;
import org.metasched.adapter.LocalScheduler;
import org.metasched.adapter.LocalSchedulerException;
import org.metasched.adapter.LocalSchedulerException.Misconfigured;
import org.metasched.adapter.LocalSchedulerException.Unreachable;
import org.metasched.adapter.SiteId;
import org.metasched.adapter.TimeSlot;
import org.metasched.negotiation.CoAllocationRequest.SitePart;
import org.metasched.sites.SiteCalls;
import org.metasched.sites.SiteCalls.Call;

/**
 * Finds the earliest start that suits every site: asks in parallel all sites that have not said enough yet, moves the
 * candidate to the latest first start, and goes on until nobody objects. Sites that list their windows are asked once; if
 * all do, one round is enough, and the rest is a merge of the lists.
 *
 * <p>Skips no common start: a start that suits every site is, for each of them, no earlier than its answer. Ends because
 * the candidate only grows and may not pass the limit: rounds &le; 1 + number of feasible intervals of all sites.
 *
 * <p>After Listing 1 of Streit et al. (ParCo 2005), with repairs: the "ask again" flag holds for a whole round, the
 * candidate moves only between rounds, the loop also stops when a common start has been found, and "none" is another
 * answer than "failed". Holds nothing at any site. Thread-safe.
 */
public final class CommonSlotSearch {

    private final SiteCalls calls;
    private final SearchStrategy strategy;

    public CommonSlotSearch(SiteCalls calls, SearchStrategy strategy) {
        this.calls = calls;
        this.strategy = strategy;
    }

    /** How a search ended, after so many rounds and calls. */
    public sealed interface Result {
        int rounds();

        int calls();

        /** Takes the result apart: a new case does not compile until every caller handles it. */
        <R, E extends Exception> R fold(
                Case<Found, R, E> found,
                Case<None, R, E> none,
                Case<Failed, R, E> failed,
                Case<RoundsSpent, R, E> spent)
                throws E;

        record Found(Instant start, int rounds, int calls) implements Result {
            @Override
            public <R, E extends Exception> R fold(
                    Case<Found, R, E> found,
                    Case<None, R, E> none,
                    Case<Failed, R, E> failed,
                    Case<RoundsSpent, R, E> spent)
                    throws E {
                return found.of(this);
            }
        }

        /** The named site has no start from an instant on up to the limit. */
        record None(SiteId exhausted, Instant since, int rounds, int calls) implements Result {
            @Override
            public <R, E extends Exception> R fold(
                    Case<Found, R, E> found,
                    Case<None, R, E> none,
                    Case<Failed, R, E> failed,
                    Case<RoundsSpent, R, E> spent)
                    throws E {
                return none.of(this);
            }
        }

        record Failed(SiteId site, LocalSchedulerException problem, int rounds, int calls) implements Result {
            @Override
            public <R, E extends Exception> R fold(
                    Case<Found, R, E> found,
                    Case<None, R, E> none,
                    Case<Failed, R, E> failed,
                    Case<RoundsSpent, R, E> spent)
                    throws E {
                return failed.of(this);
            }
        }

        record RoundsSpent(SiteId last, int rounds, int calls) implements Result {
            @Override
            public <R, E extends Exception> R fold(
                    Case<Found, R, E> found,
                    Case<None, R, E> none,
                    Case<Failed, R, E> failed,
                    Case<RoundsSpent, R, E> spent)
                    throws E {
                return spent.of(this);
            }
        }
    }

    /**
     * @param from first common start to consider
     * @param limit last common start to consider
     * @throws InterruptedException at once
     */
    public Result search(List<SitePart> parts, Instant from, Instant limit, int mostRounds)
            throws InterruptedException {
        return search(parts, parts.stream().map(part -> new RefusedStarts()).toList(), from, limit, mostRounds);
    }

    /** @param refused for each part the starts that its site did not confirm */
    Result search(List<SitePart> parts, List<RefusedStarts> refused, Instant from, Instant limit, int mostRounds)
            throws InterruptedException {
        return new Run(parts, refused, limit).run(from, mostRounds);
    }

    /** One search. */
    private final class Run {
        private final List<KnownStarts> known;
        private final Instant limit;
        private int rounds;
        private int asked;

        Run(List<SitePart> parts, List<RefusedStarts> refused, Instant limit) {
            this.known = IntStream.range(0, parts.size())
                    .mapToObj(i -> new KnownStarts(parts.get(i), refused.get(i)))
                    .toList();
            this.limit = limit;
        }

        Result run(Instant from, int mostRounds) throws InterruptedException {
            Instant candidate = from;
            Instant since = from;
            SiteId last = known.get(0).part().site();
            while (!candidate.isAfter(limit)) {
                var silent = silentAt(candidate);
                if (!silent.isEmpty()) {
                    if (rounds == mostRounds) {
                        return new Result.RoundsSpent(last, rounds, asked);
                    }
                    var stop = askRound(silent, candidate);
                    if (stop.isPresent()) {
                        return stop.get();
                    }
                }
                Instant latest = candidate;
                for (var site : known) {
                    var first = site.first(candidate);
                    if (first.isEmpty()) {
                        return new Result.None(site.part().site(), candidate, rounds, asked);
                    }
                    if (first.get().isAfter(latest)) {
                        latest = first.get();
                        last = site.part().site();
                    }
                }
                if (latest.equals(candidate)) {
                    return new Result.Found(candidate, rounds, asked);
                }
                since = candidate;
                candidate = latest;
            }
            return new Result.None(last, since, rounds, asked);
        }

        private List<KnownStarts> silentAt(Instant candidate) {
            return known.stream().filter(k -> !k.tells(candidate)).toList();
        }

        /** One question to each, and one more to those that failed: reading is harmless. */
        private Optional<Result> askRound(List<KnownStarts> silent, Instant candidate) throws InterruptedException {
            rounds++;
            var failed = ask(silent, candidate);
            if (failed.isPresent() && !(failed.get().problem() instanceof Misconfigured)) {
                failed = ask(silentAt(candidate), candidate);
            }
            return failed.map(f -> f);
        }

        private Optional<Result.Failed> ask(List<KnownStarts> silent, Instant candidate) throws InterruptedException {
            List<Call<Said>> questions = new ArrayList<>();
            silent.forEach(k -> questions.add(new Call<>(k.part().site(), s -> ask(s, k.part(), candidate))));
            var answers = calls.askAll(questions);
            asked += questions.size();
            Optional<Result.Failed> failed = Optional.empty();
            for (int i = 0; i < silent.size(); i++) {
                var site = silent.get(i);
                var problem = answers.get(i)
                        .<Optional<LocalSchedulerException>>fold(
                                said -> {
                                    said.tell(site);
                                    return Optional.empty();
                                },
                                Optional::of);
                if (problem.isPresent()) {
                    failed = Optional.of(new Result.Failed(site.part().site(), problem.get(), rounds, asked));
                }
            }
            return failed;
        }

        private Said ask(LocalScheduler site, SitePart part, Instant candidate) throws LocalSchedulerException {
            Instant from = candidate.plus(part.offset());
            var listing = site.windowListing();
            if (strategy == SearchStrategy.WINDOWS && listing.isPresent()) {
                // One second more than the limit, as a slot is never empty; a later start is beyond the limit anyway.
                var within = new TimeSlot(from, limit.plus(part.offset()).plusSeconds(1));
                var windows = listing.get().freeWindows(part.request(), within);
                return known -> known.learn(windows);
            }
            var start = site.earliestStart(part.request(), from);
            if (start.filter(s -> s.isBefore(from)).isPresent()) {
                throw new Unreachable("Site " + part.site() + " answered with the start " + start.get()
                        + ", which is before " + from + " that it was asked for (rule A1).");
            }
            return known -> start.ifPresentOrElse(s -> known.learn(candidate, s), () -> known.learn(NOTHING));
        }
    }

    private static final FreeWindows NOTHING = new FreeWindows("", List.of());

    /** What a site said about its starts, which is taken in by the search's own thread. */
    @FunctionalInterface
    private interface Said {
        void tell(KnownStarts site);
    }
}
