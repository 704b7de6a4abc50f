package org.metasched.it;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiPredicate;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import org.metasched.choice.Preference;
import org.metasched.it.DoorWorld.Site;

/**
 * The best way to serve an offer by plain loops: over all starts at which something becomes free, and over all assignments of sites to
 * parts at each, a part after the other. What cannot become better than the best so far is left. Not thread-safe, for one use.
 */
final class PlainChoice {

    private final DoorWorld world;
    private final List<Part> parts;
    private final long duration;
    private final Preference preference;
    private List<List<Site>> free = List.of();
    /** The best rank and the best cost that the parts from a number on may add. */
    private double[][] rest = {};

    private final List<Site> chosen = new ArrayList<>();
    private Optional<Figures> best = Optional.empty();

    /**
     * One part as the oracle reads it.
     *
     * @param site that it names, which serves it without rank and cost
     * @param beside whether a site may serve it beside that of the part before
     */
    record Part(
            Optional<String> site,
            Predicate<Site> suits,
            ToDoubleFunction<Site> rank,
            int nodes,
            BiPredicate<Site, Site> beside) {}

    /** Figures of a plan. */
    record Figures(long start, double rank, double cost) {

        /** In the order of a preference, the lower the better. */
        double[] inOrder(Preference preference) {
            return switch (preference) {
                case START -> new double[] {start, -rank, cost};
                case RANK -> new double[] {-rank, start, cost};
                case COST -> new double[] {cost, start, -rank};
            };
        }

        Figures plus(double moreRank, double moreCost) {
            return new Figures(start, rank + moreRank, cost + moreCost);
        }
    }

    /** @param duration in seconds */
    PlainChoice(DoorWorld world, List<Part> parts, long duration, Preference preference) {
        this.world = world;
        this.parts = parts;
        this.duration = duration;
        this.preference = preference;
    }

    Optional<Figures> best(long from, long last) {
        var starts = new TreeSet<Long>(List.of(from));
        world.sites().forEach(site -> site.taken().forEach(one -> starts.add(one.end())));
        for (long start : starts.subSet(from, last + 1)) {
            free = parts.stream().map(part -> free(part, start)).toList();
            if (free.stream().noneMatch(List::isEmpty)) {
                rest = rest();
                serve(0, new Figures(start, 0, 0));
            }
            if (preference == Preference.START && best.isPresent()) {
                break;
            }
        }
        return best;
    }

    private List<Site> free(Part part, long start) {
        return world.sites().stream()
                .filter(site -> part.site.map(site.name()::equals).orElseGet(() -> part.suits.test(site)))
                .filter(site -> site.free(start, start + duration) >= part.nodes)
                .sorted(Comparator.comparing(
                        site -> new Figures(start, rank(part, site), cost(part, site, duration)).inOrder(preference),
                        Arrays::compare))
                .toList();
    }

    private void serve(int number, Figures sofar) {
        if (number == parts.size()) {
            best = Optional.of(sofar);
            return;
        }
        for (var site : free.get(number)) {
            var with = sofar.plus(rank(parts.get(number), site), cost(parts.get(number), site, duration));
            chosen.add(site);
            if (mayServe(sofar.start) && isBetter(with.plus(rest[number + 1][0], rest[number + 1][1]))) {
                serve(number + 1, with);
            }
            chosen.remove(number);
        }
    }

    /** Whether the newest of the chosen goes with the others. */
    private boolean mayServe(long start) {
        int number = chosen.size() - 1;
        var site = chosen.get(number);
        Set<Site> open = new HashSet<>();
        int wanted = 0;
        for (int i = 0; i <= number; i++) {
            if (parts.get(i).site.isEmpty() && !open.add(chosen.get(i))) {
                return false;
            }
            wanted += chosen.get(i) == site ? parts.get(i).nodes : 0;
        }
        return (wanted == parts.get(number).nodes || site.free(start, start + duration) >= wanted)
                && (number == 0 || parts.get(number).beside.test(chosen.get(number - 1), site));
    }

    private double[][] rest() {
        var sums = new double[parts.size() + 1][2];
        for (int i = parts.size() - 1; i >= 0; i--) {
            var part = parts.get(i);
            var sites = free.get(i);
            sums[i][0] = sums[i + 1][0]
                    + sites.stream().mapToDouble(site -> rank(part, site)).max().orElseThrow();
            sums[i][1] = sums[i + 1][1]
                    + sites.stream()
                            .mapToDouble(site -> cost(part, site, duration))
                            .min()
                            .orElseThrow();
        }
        return sums;
    }

    private boolean isBetter(Figures figures) {
        return best.isEmpty()
                || Arrays.compare(figures.inOrder(preference), best.get().inOrder(preference)) < 0;
    }

    static double rank(Part part, Site site) {
        return part.site.isPresent() ? 0 : part.rank.applyAsDouble(site);
    }

    /** @param duration in seconds */
    static double cost(Part part, Site site, long duration) {
        return part.site.isPresent() ? 0 : site.cost() * part.nodes * (duration / 3600.0);
    }
}
