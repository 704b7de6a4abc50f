package org.metasched.simulation;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.PriorityQueue;
import org.metasched.adapter.simulated.LocalJob;
import org.metasched.adapter.simulated.SimulatedSite.Backfilling;

/**
 * One site with local jobs and advance reservations by the letter of its rules: every pass begins from what runs and what is
 * reserved. A reservation is granted where it fits beside the places of waiting jobs, and gives back what it does not use.
 * Slow, and shares no code with the simulated site.
 */
final class ReservationModel {

    /**
     * @param first start that it takes, like {@code last}, in seconds
     * @param run how long it is used of its length
     */
    record Wish(long submitted, long first, long last, int nodes, long length, long run) {}

    /** Nodes that are taken from a second on, until another one. */
    private record Taken(long from, long until, int nodes) {}

    private record Running(long end, Taken taken) {}

    private record Release(long at, Taken taken) {}

    private final int nodes;
    private final Backfilling policy;
    private final List<LocalJob> waiting = new ArrayList<>();
    private final List<Running> running = new ArrayList<>();
    private final List<Taken> reserved = new ArrayList<>();
    private final List<Taken> places = new ArrayList<>();
    private final PriorityQueue<Release> releases = new PriorityQueue<>(Comparator.comparingLong(Release::at));
    private final Map<LocalJob, Long> starts = new HashMap<>();
    private final List<Optional<Long>> granted = new ArrayList<>();

    ReservationModel(int nodes, Backfilling policy) {
        this.nodes = nodes;
        this.policy = policy;
    }

    Map<LocalJob, Long> starts() {
        return starts;
    }

    /** The start of each wish, in their order; empty where there was none. */
    List<Optional<Long>> granted() {
        return granted;
    }

    void run(List<LocalJob> jobs, List<Wish> wishes) {
        int job = 0;
        int wish = 0;
        while (true) {
            long now = next(
                    job < jobs.size() ? jobs.get(job).submitSeconds() : Long.MAX_VALUE,
                    wish < wishes.size() ? wishes.get(wish).submitted() : Long.MAX_VALUE);
            if (now == Long.MAX_VALUE) {
                return;
            }
            for (; job < jobs.size() && jobs.get(job).submitSeconds() <= now; job++) {
                waiting.add(jobs.get(job));
            }
            settle(now);
            while (!releases.isEmpty() && releases.peek().at() <= now) {
                reserved.remove(releases.remove().taken());
                settle(now);
            }
            for (; wish < wishes.size() && wishes.get(wish).submitted() <= now; wish++) {
                decide(wishes.get(wish), now);
            }
        }
    }

    private long next(long arrival, long wish) {
        long ends = running.stream().mapToLong(Running::end).min().orElse(Long.MAX_VALUE);
        long over = reserved.stream().mapToLong(Taken::until).min().orElse(Long.MAX_VALUE);
        long back = releases.isEmpty() ? Long.MAX_VALUE : releases.peek().at();
        return Math.min(Math.min(arrival, wish), Math.min(ends, Math.min(over, back)));
    }

    /** A job may end in the second in which it begins. */
    private void settle(long now) {
        reserved.removeIf(one -> one.until() <= now);
        do {
            running.removeIf(one -> one.end() <= now);
            plan(now);
        } while (running.stream().anyMatch(one -> one.end() <= now));
    }

    private void decide(Wish wish, long now) {
        var start = earliest(wish.nodes(), wish.length(), wish.first(), wish.last());
        granted.add(start.isPresent() ? Optional.of(start.getAsLong()) : Optional.empty());
        if (start.isPresent()) {
            var taken = new Taken(start.getAsLong(), start.getAsLong() + wish.length(), wish.nodes());
            reserved.add(taken);
            if (wish.run() < wish.length()) {
                releases.add(new Release(start.getAsLong() + wish.run(), taken));
            }
        }
    }

    private void plan(long now) {
        places.clear();
        boolean headWaits = false;
        for (var job : List.copyOf(waiting)) {
            boolean isPlaced = policy == Backfilling.CONSERVATIVE || !headWaits;
            long start = isPlaced
                    ? earliest(job.nodes(), job.estimateSeconds(), now, Long.MAX_VALUE)
                            .orElseThrow()
                    : earliest(job.nodes(), job.estimateSeconds(), now, now).orElse(-1);
            if (start == now) {
                waiting.remove(job);
                starts.put(job, now);
                running.add(
                        new Running(now + job.runSeconds(), new Taken(now, now + job.estimateSeconds(), job.nodes())));
            } else if (isPlaced) {
                places.add(new Taken(start, start + job.estimateSeconds(), job.nodes()));
                headWaits = true;
            }
        }
    }

    private OptionalLong earliest(int wanted, long length, long first, long last) {
        var taken = new ArrayList<Taken>(reserved);
        taken.addAll(places);
        running.forEach(one -> taken.add(one.taken()));
        var candidates = new ArrayList<Long>(List.of(first));
        taken.stream()
                .map(Taken::until)
                .filter(until -> until > first && until <= last)
                .forEach(candidates::add);
        candidates.sort(Comparator.naturalOrder());
        return candidates.stream()
                .mapToLong(Long::longValue)
                .filter(start -> first <= last && fits(taken, wanted, start, start + length))
                .findFirst();
    }

    /** Whether so many nodes are free at each second, of which only begins of what is taken can be the worst. */
    private boolean fits(List<Taken> taken, int wanted, long from, long until) {
        if (wanted > free(taken, from)) {
            return false;
        }
        return taken.stream()
                .map(Taken::from)
                .filter(at -> at > from && at < until)
                .allMatch(at -> wanted <= free(taken, at));
    }

    private int free(List<Taken> taken, long at) {
        return nodes
                - taken.stream()
                        .filter(one -> one.from() <= at && at < one.until())
                        .mapToInt(Taken::nodes)
                        .sum();
    }
}
