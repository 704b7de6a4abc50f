package org.metasched.choice;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.metasched.choice.PartOptions.Sum;
import org.metasched.choice.Plan.Figures;

/**
 * The search for the best plans of one {@link ChoiceBranch} whose stages may wait: depth first over groups of stages with fixed distances,
 * each group's starts in their order. It is cut off where the end or the remaining picks cannot be good enough.
 *
 * <p>In the best plan no group could begin earlier. So each begins when one of its windows opens, when a lag after an earlier group ends,
 * or when a lag before a later group's window begins. If only least lags tie a group to those after it, a later start of it is of use
 * only for better picks. Stages that may run at the same time never take the same place. For one use, by one thread.
 */
final class WorkflowSearch extends BranchAndBoundSearch {

    private final StageNetwork network;
    private final long from;
    private final long latest;
    private final List<Group> groups = new ArrayList<>();
    /** For each position in the order, the group that begins there. */
    private final @Nullable Group[] beginsAt;
    /** For each position in the order, the group that ends before it. */
    private final @Nullable Group[] endsAt;

    /** Stages that move as one, by their first stage. */
    private static final class Group {
        private final int stage;
        private final int number;
        /** The position of its first part in the order. */
        private final int first;

        /** The position in the order after its last part. */
        private final int end;
        /** Starts at which each of its parts has enough options. */
        private FeasibleStarts supply = FeasibleStarts.NONE;
        /** {@linkplain WorkflowSearch#openings Starts to try}, in their order. */
        private long[] openings = {};

        /** Whether an earlier start of it with picks as good is as good for all groups after it. */
        private boolean isIndependent;

        private boolean isPlaced;
        private long start;
        /** Figures of the picks of the parts before it. */
        private final Sum before = new Sum();

        /** Best figures of its own picks at this or an earlier start. */
        private @Nullable Figures best;

        Group(int stage, int number, int first, int end) {
            this.stage = stage;
            this.number = number;
            this.first = first;
            this.end = end;
        }
    }

    WorkflowSearch(int number, ChoiceBranch branch, long from, long latest, BestPlans best) {
        super(number, branch, best);
        this.network = branch.network();
        this.from = from;
        this.latest = latest;
        int count = branch.parts().size();
        this.beginsAt = new @Nullable Group[count + 1];
        this.endsAt = new @Nullable Group[count + 1];
        int[] sorted = IntStream.range(0, count)
                .boxed()
                .sorted(Comparator.comparingLong((Integer p) -> network.head(group(p)))
                        .thenComparing(p -> group(p)))
                .mapToInt(Integer::intValue)
                .toArray();
        System.arraycopy(sorted, 0, order, 0, count);
        for (int first = 0; first < count; ) {
            int end = first;
            while (end < count && group(order[end]) == group(order[first])) {
                end++;
            }
            var group = new Group(group(order[first]), groups.size(), first, end);
            groups.add(group);
            beginsAt[first] = group;
            endsAt[end] = group;
            first = end;
        }
    }

    private int group(int part) {
        return network.group(branch.stages().get(part));
    }

    void run() {
        for (var part : parts) {
            part.openAt(0, true);
        }
        for (var group : groups) {
            for (int i = group.first; i < group.end; i++) {
                var starts = List.of(parts[order[i]].starts());
                long last =
                        starts.stream().mapToLong(FeasibleStarts::last).max().orElse(from);
                group.supply = i > group.first ? group.supply : FeasibleStarts.of(from, Math.max(from, last));
                group.supply = group.supply.where(branch.parts().get(order[i]).least(), starts);
            }
        }
        groups.forEach(group -> group.openings = openings(group));
        groups.forEach(group -> group.isIndependent = isIndependent(group));
        prepare();
        extend(0, 0, 0, 0);
    }

    /** Starts at which a group may have to begin: windows of its own open, or one of a later group opens just in time for a lag. */
    private long[] openings(Group group) {
        return groups.stream()
                .filter(other ->
                        other.number >= group.number && network.gap(other.stage, group.stage) != StageNetwork.NONE)
                .flatMapToLong(other -> IntStream.range(other.first, other.end)
                        .boxed()
                        .flatMap(i -> Arrays.stream(parts[order[i]].starts()))
                        .flatMapToLong(s -> IntStream.range(0, s.size()).mapToLong(s::first))
                        .map(opening -> opening + network.gap(other.stage, group.stage)))
                .filter(group.supply::contains)
                .sorted()
                .distinct()
                .toArray();
    }

    /** Whether only least lags tie a group to the groups after it: no upper bounds, shared places or rules. */
    private boolean isIndependent(Group group) {
        return groups.stream()
                .filter(other -> other.number > group.number)
                .noneMatch(other -> network.gap(other.stage, group.stage) != StageNetwork.NONE
                        || IntStream.range(group.first, group.end)
                                .anyMatch(i -> IntStream.range(other.first, other.end)
                                        .anyMatch(j -> areRivals(order[i], order[j]) || areTied(order[i], order[j]))));
    }

    private boolean areTied(int a, int b) {
        return branch.rules().stream()
                .anyMatch(rule -> rule.parts().contains(a) && rule.parts().contains(b));
    }

    @Override
    long startOf(int stage) {
        return groups.stream().filter(g -> g.stage == stage).findFirst().orElseThrow().start;
    }

    @Override
    void extend(int position, int pieces, double rank, double cost) {
        var ended = endsAt[position];
        if (ended != null
                && ended.isIndependent
                && best.wantsOnlyBest()
                && !recordIfBetter(ended, pieces, rank, cost)) {
            return;
        }
        var group = beginsAt[position];
        if (group == null) {
            super.extend(position, pieces, rank, cost);
            return;
        }
        group.before.set(pieces, rank, cost);
        group.best = null;
        var outer = new Figures(
                when, pieces + bounds[position].pieces, rank + bounds[position].rank, cost + bounds[position].cost);
        long latestStart = latestStart(group);
        long start = group.supply.next(earliestStart(group));
        while (start <= latestStart && best.step()) {
            group.isPlaced = true;
            group.start = start;
            when = moveOpenGroups();
            if (when - branch.delay() > latest || !best.wants(when, outer.pieces(), outer.rank(), outer.cost())) {
                break;
            }
            if (fits()) {
                search(group);
            }
            int next = Arrays.binarySearch(group.openings, start + 1);
            next = next < 0 ? -next - 1 : next;
            start = next < group.openings.length ? group.openings[next] : Long.MAX_VALUE;
        }
        group.isPlaced = false;
        when = outer.when();
        open(group, true);
    }

    /** Searches all plans in which a group begins where it has been placed. */
    private void search(Group group) {
        open(group, false);
        var own = group.best;
        boolean mayImprove = own == null
                || best.preference.compare(
                                0,
                                bounds[group.first].pieces - bounds[group.end].pieces,
                                bounds[group.first].rank - bounds[group.end].rank,
                                bounds[group.first].cost - bounds[group.end].cost,
                                own)
                        < 0;
        if (mayImprove) {
            super.extend(group.first, group.before.pieces, group.before.rank, group.before.cost);
        }
    }

    private void open(Group group, boolean all) {
        for (int i = group.end - 1; i >= group.first; i--) {
            parts[order[i]].openAt(group.start, all);
            computeBound(i);
        }
    }

    /** Records the picks of a group, and returns true, if they are better than any that it had at this or an earlier start. */
    private boolean recordIfBetter(Group group, int pieces, double rank, double cost) {
        var own = new Figures(0, pieces - group.before.pieces, rank - group.before.rank, cost - group.before.cost);
        boolean better =
                group.best == null || best.preference.compare(0, own.pieces(), own.rank(), own.cost(), group.best) < 0;
        group.best = better ? own : group.best;
        return better;
    }

    /** First start of a group that the placed groups allow. */
    private long earliestStart(Group group) {
        return groups.stream()
                .filter(g -> g.isPlaced && network.gap(g.stage, group.stage) != StageNetwork.NONE)
                .mapToLong(g -> g.start + network.gap(g.stage, group.stage))
                .reduce(from + network.head(group.stage), Math::max);
    }

    /** Last start of a group that the placed groups allow. */
    private long latestStart(Group group) {
        return groups.stream()
                .filter(g -> g.isPlaced && network.gap(group.stage, g.stage) != StageNetwork.NONE)
                .mapToLong(g -> g.start - network.gap(group.stage, g.stage))
                .reduce(Long.MAX_VALUE - 1, Math::min);
    }

    /** Moves groups that are not placed to their earliest starts; returns the least {@link Plan#when} that plans with them can have. */
    private long moveOpenGroups() {
        long end = Long.MIN_VALUE;
        for (var group : groups) {
            long soonest = group.start;
            if (!group.isPlaced) {
                soonest = earliestStart(group);
                for (int i = 0; i < group.number; i++) {
                    long gap = network.gap(groups.get(i).stage, group.stage);
                    soonest = gap == StageNetwork.NONE ? soonest : Math.max(soonest, groups.get(i).start + gap);
                }
                soonest = group.supply.next(soonest);
            }
            if (soonest == Long.MAX_VALUE) {
                return soonest;
            }
            group.start = soonest;
            end = Math.max(end, soonest + network.tail(group.stage));
        }
        return end - network.span() + branch.delay();
    }

    /** Whether every group that is not placed can begin in time for those that are. */
    private boolean fits() {
        return groups.stream().allMatch(group -> group.isPlaced || group.start <= latestStart(group));
    }
}
