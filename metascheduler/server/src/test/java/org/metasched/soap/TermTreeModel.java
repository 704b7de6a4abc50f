package org.metasched.soap;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.metasched.agreement.Compensation.Kind;
import org.metasched.agreement.GuaranteeState;
import org.metasched.soap.RandomTermTree.Compositor;
import org.metasched.soap.RandomTermTree.Due;
import org.metasched.soap.RandomTermTree.Promise;
import org.metasched.soap.RandomTermTree.Resources;
import org.metasched.soap.RandomTermTree.Term;
import org.metasched.soap.RandomTermTree.Time;

/**
 * A term tree's meaning, written from GFD.192 (4.2 and 10.3) and docs/ws-agreement.md without the product's code: every selection of branches
 * that the compositors allow is made, in no order, and a comparison of two of them says which one an initiator prefers.
 */
final class TermTreeModel {

    static final int MOST_WAYS = 64;
    private static final int MOST_SUBSETS = 6;

    /** Nodes that others use, for each site and each half hour after 09:00. */
    private final int[][] load;

    TermTreeModel(int[][] load) {
        this.load = load;
    }

    /** A term with what was selected of its branches; nothing stands for one that is left out. */
    private record Selection(Term term, List<@Nullable Selection> branches) {
        Stream<Term> leaves() {
            return term instanceof Compositor
                    ? branches.stream().flatMap(b -> b == null ? Stream.empty() : b.leaves())
                    : Stream.of(term);
        }

        <T extends Term> List<T> all(Class<T> kind) {
            return leaves().filter(kind::isInstance).map(kind::cast).toList();
        }

        long size() {
            return branches.stream().filter(b -> b != null).count();
        }
    }

    /** @param start minutes after 09:00 */
    record Grant(Map<String, String> sites, List<Resources> parts, int start, int minutes, List<Promise> promises) {}

    /** What must become of an offer: invalid, for a reason, not to be had, or granted. */
    record Answer(String whyInvalid, Optional<Grant> grant) {}

    private static Answer invalid(String why) {
        return new Answer(why, Optional.empty());
    }

    Answer answer(Compositor offer, int now) {
        if (!hasKnownScopes(offer)) {
            return invalid("unknown service in a scope");
        } else if (ways(offer) > MOST_WAYS) {
            return invalid("too many ways");
        }
        var allowed = selections(offer).stream()
                .filter(way -> way.all(Resources.class).stream().allMatch(TermTreeModel::isAllowed))
                .filter(way -> !way.all(Resources.class).isEmpty())
                .sorted(TermTreeModel::compare)
                .toList();
        long withHosts = allowed.stream()
                .mapToLong(way -> way.all(Resources.class).stream()
                        .mapToLong(r -> hosts(r).size())
                        .reduce(1, (one, other) -> one * other))
                .sum();
        if (allowed.isEmpty()) {
            return invalid("no way is allowed");
        } else if (withHosts > MOST_WAYS) {
            return invalid("too many ways and hosts");
        }
        if (allowed.stream().allMatch(way -> way.all(Time.class).get(0).from() < now)) {
            return invalid("too late");
        }
        return new Answer(
                "", allowed.stream().flatMap(way -> granted(way, now).stream()).findFirst());
    }

    static boolean hasKnownScopes(Compositor offer) {
        var services = leaves(offer)
                .flatMap(t -> t instanceof Resources r
                        ? Stream.of(r.service())
                        : t instanceof Time ? Stream.of("TIMES") : Stream.empty())
                .collect(Collectors.toSet());
        return leaves(offer).allMatch(t -> !(t instanceof Promise p) || services.containsAll(p.scope()));
    }

    static Stream<Term> leaves(Term term) {
        return term instanceof Compositor some
                ? some.branches().stream().flatMap(TermTreeModel::leaves)
                : Stream.of(term);
    }

    static long ways(Term term) {
        if (!(term instanceof Compositor some)) {
            return 1;
        }
        var each = some.branches().stream().mapToLong(TermTreeModel::ways).toArray();
        long sum = Arrays.stream(each).sum();
        long product = Arrays.stream(each).reduce(1, (a, b) -> Math.min(1000, a * b));
        return switch (some.kind()) {
            case "All" -> product;
            case "ExactlyOne" -> sum;
            // Each branch is left out or taken in one of its ways; not all are left out.
            default ->
                each.length > MOST_SUBSETS
                        ? product + sum
                        : Arrays.stream(each).reduce(1, (a, b) -> Math.min(1000, a * (b + 1))) - 1;
        };
    }

    private static List<Selection> selections(Term term) {
        if (!(term instanceof Compositor some)) {
            return List.of(new Selection(term, List.of()));
        }
        int count = some.branches().size();
        var all = new ArrayList<Selection>();
        for (int taken = 1; taken < 1 << count; taken++) {
            int size = Integer.bitCount(taken);
            boolean fits = switch (some.kind()) {
                case "All" -> size == count;
                case "ExactlyOne" -> size == 1;
                default -> count <= MOST_SUBSETS || size == 1 || size == count;
            };
            if (fits) {
                all.addAll(selections(some, taken));
            }
        }
        return all;
    }

    private static List<Selection> selections(Compositor some, int taken) {
        List<List<@Nullable Selection>> rows = List.of(List.of());
        for (int i = 0; i < some.branches().size(); i++) {
            boolean out = (taken >> i & 1) == 0;
            List<@Nullable Selection> here = out
                    ? new ArrayList<>(Arrays.asList((Selection) null))
                    : new ArrayList<>(selections(some.branches().get(i)));
            rows = rows.stream()
                    .flatMap(row -> here.stream().map(next -> {
                        var longer = new ArrayList<>(row);
                        longer.add(next);
                        return (List<@Nullable Selection>) longer;
                    }))
                    .toList();
        }
        return rows.stream().map(row -> new Selection(some, row)).toList();
    }

    /** The preferred one first: with more branches, then with earlier ones, then by the branches in the order of the document. */
    private static int compare(Selection one, Selection other) {
        int byCount = Long.compare(other.size(), one.size());
        if (byCount != 0) {
            return byCount;
        }
        for (int i = 0; i < one.branches().size(); i++) {
            if ((one.branches().get(i) == null) != (other.branches().get(i) == null)) {
                return one.branches().get(i) == null ? 1 : -1;
            }
        }
        for (int i = 0; i < one.branches().size(); i++) {
            var branch = one.branches().get(i);
            var its = other.branches().get(i);
            int byBranch = branch == null || its == null ? 0 : compare(branch, its);
            if (byBranch != 0) {
                return byBranch;
            }
        }
        return 0;
    }

    private static List<String> hosts(Resources term) {
        var known = term.hosts().stream().filter(RandomTermTree.SITES::contains);
        return known.distinct().toList();
    }

    /** The template's constraints: a site of ours, and not more nodes than it has, or than the largest where several are named. */
    private static boolean isAllowed(Resources term) {
        int most = term.hosts().size() == 1 && RandomTermTree.SITES.containsAll(term.hosts())
                ? size(term.hosts().get(0))
                : Arrays.stream(RandomTermTree.SIZES).max().orElseThrow();
        return !hosts(term).isEmpty() && term.nodes() <= most;
    }

    private static int size(String site) {
        return RandomTermTree.SIZES[RandomTermTree.SITES.indexOf(site)];
    }

    /** Of several hosts those of the earliest start, in doubt the first in the order of the document. */
    private Optional<Grant> granted(Selection way, int now) {
        var time = way.all(Time.class).get(0);
        if (time.from() < now) {
            return Optional.empty();
        }
        var parts = way.all(Resources.class);
        List<List<String>> combinations = List.of(List.of());
        for (var part : parts) {
            combinations = combinations.stream()
                    .flatMap(row -> hosts(part).stream()
                            .map(host ->
                                    Stream.concat(row.stream(), Stream.of(host)).toList()))
                    .toList();
        }
        for (int start = time.from(); start + time.minutes() <= time.until(); start += 30) {
            for (var hosts : combinations) {
                if (fits(parts, hosts, start, time.minutes())) {
                    var sites = new LinkedHashMap<String, String>();
                    IntStream.range(0, parts.size())
                            .forEach(i -> sites.put(parts.get(i).name(), hosts.get(i)));
                    return Optional.of(new Grant(sites, parts, start, time.minutes(), binding(way)));
                }
            }
        }
        return Optional.empty();
    }

    private boolean fits(List<Resources> parts, List<String> hosts, int start, int minutes) {
        for (int s = 0; s < RandomTermTree.SITES.size(); s++) {
            String site = RandomTermTree.SITES.get(s);
            int wanted = IntStream.range(0, parts.size())
                    .filter(i -> hosts.get(i).equals(site))
                    .map(i -> parts.get(i).nodes())
                    .sum();
            for (int at = start; at < start + minutes && wanted > 0; at += 30) {
                if (wanted + load[s][at / 30] > RandomTermTree.SIZES[s]) {
                    return false;
                }
            }
        }
        return true;
    }

    /** Guarantees of the selected branches, without those whose scope has no service of these. */
    private static List<Promise> binding(Selection way) {
        var agreed = way.all(Resources.class).stream().map(Resources::service).toList();
        return way.all(Promise.class).stream()
                .filter(p -> p.scope().isEmpty() || p.scope().stream().anyMatch(agreed::contains))
                .toList();
    }

    /** One poll: when, and how many nodes each site has lost then. */
    record Look(int at, Map<String, Integer> lost) {}

    /** One penalty or reward: how often it is due, and what it comes to. */
    record Sum(int times, double total) {}

    /** The state of a promise at each poll. */
    static List<GuaranteeState> states(Promise promise, Grant grant, List<Look> looks) {
        var states = new ArrayList<GuaranteeState>();
        for (var look : looks) {
            var before = states.isEmpty() ? GuaranteeState.NOT_DETERMINED : states.get(states.size() - 1);
            states.add(state(promise, grant, look, before));
        }
        return states;
    }

    private static GuaranteeState state(Promise promise, Grant grant, Look look, GuaranteeState before) {
        int end = grant.start() + grant.minutes();
        boolean begun = look.at() >= grant.start();
        boolean over = look.at() >= end;
        var scope = scope(promise, grant);
        boolean endsWithSlot =
                promise.condition().contains("<") || promise.condition().contains("Ready");
        boolean applies = promise.condition().isEmpty() || begun && (!endsWithSlot || !over);
        if (!applies) {
            return GuaranteeState.NOT_DETERMINED;
        }
        if (promise.objective().isEmpty()) {
            if (over) {
                return before;
            }
            return lost(scope, grant, look) > 0
                    ? GuaranteeState.VIOLATED
                    : begun ? GuaranteeState.FULFILLED : GuaranteeState.NOT_DETERMINED;
        }
        int agreed = scope.stream().mapToInt(Resources::nodes).sum();
        int there = over
                ? 0
                : scope.stream()
                        .mapToInt(r -> Math.max(0, r.nodes() - lost(r, grant, look)))
                        .sum();
        boolean kept = switch (promise.objective()) {
            case "Nodes >= AgreedNodes" -> there >= agreed;
            case "LostNodes == 0" -> lost(scope, grant, look) == 0;
            case "Nodes >= 3" -> there >= 3;
            case "Phase != \"NotReady\"" -> begun;
            default -> scope.size() == 1;
        };
        return kept ? GuaranteeState.FULFILLED : GuaranteeState.VIOLATED;
    }

    private static List<Resources> scope(Promise promise, Grant grant) {
        return grant.parts().stream()
                .filter(r -> promise.scope().isEmpty() || promise.scope().contains(r.service()))
                .toList();
    }

    private static int lost(List<Resources> scope, Grant grant, Look look) {
        return scope.stream().mapToInt(r -> lost(r, grant, look)).sum();
    }

    private static int lost(Resources part, Grant grant, Look look) {
        return look.lost().getOrDefault(grant.sites().get(part.name()), 0);
    }

    /** What is due of one penalty or reward when the agreement has ended. */
    static Sum due(Due due, Promise promise, Grant grant, List<Look> looks) {
        var states = states(promise, grant, looks);
        var told = IntStream.range(0, looks.size())
                .filter(i -> states.get(i) != GuaranteeState.NOT_DETERMINED)
                .boxed()
                .toList();
        var intervals = new TreeMap<Integer, List<Integer>>();
        int last = (grant.minutes() - 1) / Math.max(1, due.every());
        ToIntFunction<Integer> interval = i -> due.every() > 0
                ? Math.max(0, Math.min(last, Math.floorDiv(looks.get(i).at() - grant.start(), due.every())))
                : told.indexOf(i) / due.count();
        told.forEach(i -> intervals
                .computeIfAbsent(interval.applyAsInt(i), n -> new ArrayList<>())
                .add(i));
        var wanted = due.kind() == Kind.PENALTY ? GuaranteeState.VIOLATED : GuaranteeState.FULFILLED;
        var values = intervals.values().stream()
                .filter(within -> due.every() > 0 || within.size() == due.count())
                .filter(within -> due.kind() == Kind.PENALTY
                        ? within.stream().anyMatch(i -> states.get(i) == wanted)
                        : within.stream().allMatch(i -> states.get(i) == wanted))
                .mapToDouble(within -> within.stream()
                        .filter(i -> states.get(i) == wanted)
                        .min(Comparator.naturalOrder())
                        .map(i -> due.perLostNode() ? lost(scope(promise, grant), grant, looks.get(i)) + 1.0 : 5.0)
                        .orElseThrow())
                .toArray();
        return new Sum(values.length, Arrays.stream(values).sum());
    }
}
