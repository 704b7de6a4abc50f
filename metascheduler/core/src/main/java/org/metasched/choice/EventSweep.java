package org.metasched.choice;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongUnaryOperator;

/**
 * One pass over the starts of a branch whose stages have fixed distances, in their order. Places with the same windows are one lane. The windows are sorted piece by piece, as
 * a search for the earliest start needs only those up to its answer. For one use, by one thread.
 */
final class EventSweep {

    /** Windows that are sorted at a time, about. */
    private static final int BATCH = 1 << 16;
    /** Once so many windows have been looked at in vain, the rest is looked at part by part before: that costs less. */
    private static final int MANY = 4 * BATCH;
    /** The most newly free places whose plans of a start are searched place by place; with more, all plans at once. */
    private static final int FEW = 3;
    /** Steps that a start costs. */
    private static final int LOOK = 2;

    private final ChoiceBranch branch;
    private final long head;
    private final long from;
    private final long latest;
    private final BestPlans best;
    private final UpperBound promise;
    private final BranchAndBoundSearch open;
    private final List<FeasibleStarts> lanes = new ArrayList<>();
    private final List<List<int[]>> optionsOfLane = new ArrayList<>();
    private int[] next = {};
    /** No other start is looked at. */
    private FeasibleStarts possible = FeasibleStarts.NONE;

    EventSweep(int number, ChoiceBranch branch, long from, long latest, BestPlans best) {
        this.branch = branch;
        this.head = branch.network().head(0);
        this.from = from + head;
        this.latest = latest + head;
        this.best = best;
        this.promise = new UpperBound(branch, best.preference());
        this.open = new BranchAndBoundSearch(number, branch, best);
        Map<FeasibleStarts, Integer> laneOf = new IdentityHashMap<>();
        for (int p = 0; p < branch.parts().size(); p++) {
            var starts = open.parts[p].starts();
            for (int o = 0; o < starts.length; o++) {
                int lane = laneOf.computeIfAbsent(starts[o], this::newLane);
                optionsOfLane.get(lane).add(new int[] {p, o});
            }
        }
    }

    /** Passes over starts at which parts with more than {@code over} windows, up to {@code most}, have too few options. */
    private void narrow(long over, long most) {
        for (int p = 0; p < branch.parts().size(); p++) {
            var part = branch.parts().get(p);
            var starts = List.of(open.parts[p].starts());
            long own = starts.stream().mapToLong(FeasibleStarts::size).sum();
            if (own > over && own <= most) {
                if (part.isSplit()) {
                    narrow(part, p, starts);
                } else {
                    possible = possible.where(part.least(), starts);
                }
            }
        }
    }

    /** Pieces give a total only if what each has beyond a share makes up for what the shares are short of it, whatever the share. */
    private void narrow(ChoicePart part, int p, List<FeasibleStarts> starts) {
        int even = (part.total() - 1) / part.most();
        for (int share : new int[] {0, even / 2, even - even / 8, even}) {
            var beyond = open.parts[p].amounts().stream()
                    .map(amount -> Math.max(0, amount - share))
                    .toList();
            possible = possible.where(part.total() - part.most() * share, starts, beyond);
        }
    }

    private int newLane(FeasibleStarts starts) {
        lanes.add(starts);
        optionsOfLane.add(new ArrayList<>());
        return lanes.size() - 1;
    }

    void run() {
        if (from > latest || !branch.parts().stream().allMatch(ChoicePart::isEverPossible)) {
            return;
        }
        if (best.isOne() && Arrays.stream(open.parts).allMatch(PartOptions::isOneWay)) {
            lookAtCommonStart();
            return;
        }
        next = new int[lanes.size()];
        long windows = 0;
        for (int lane = 0; lane < next.length; lane++) {
            next[lane] = lanes.get(lane).from(from);
            windows += lanes.get(lane).size() - next[lane];
        }
        long width = Math.max(1, (long) ((double) (latest - from) * BATCH / Math.max(1, windows)));
        possible = FeasibleStarts.of(from, latest);
        narrow(0, windows / 4);
        int seen = 0;
        long begin = jump(from);
        while (begin <= latest && !best.isSpent() && promise.mayBeBetter(best, open.when(begin))) {
            long end = Math.min(latest, begin + width - 1);
            int opened = batch(begin, end);
            if (seen < MANY && (seen += opened) >= MANY) {
                narrow(windows / 4, Long.MAX_VALUE);
            }
            begin = jump(end + 1);
            if (opened < BATCH / 4) {
                width *= 2;
            }
            if (opened == 0) {
                begin = Math.max(begin, nextOpening());
            }
        }
    }

    /** Looks at the first start that all parts have in common: with one way to serve them it is the best, or there is none. */
    private void lookAtCommonStart() {
        var places = lanes.stream().<LongUnaryOperator>map(lane -> lane::next).toList();
        long start = CommonStart.of(places, from, latest).start();
        if (start <= latest) {
            for (var part : open.parts) {
                part.openAt(start, false);
            }
            if (open.canServeAll(start)) {
                open.search(-1, -1);
            }
        }
    }

    /** Over starts at which a part has too few options: opens what is free behind them, and passes the rest over. */
    private long jump(long begin) {
        long end = possible.next(begin);
        if (end == begin || end > latest) {
            return end;
        }
        for (int lane = 0; lane < next.length; lane++) {
            var starts = lanes.get(lane);
            int at = Math.max(next[lane], starts.from(end));
            next[lane] = at;
            if (at < starts.size() && starts.first(at) < end) {
                open(lane, starts.last(at));
                next[lane]++;
            }
        }
        return end;
    }

    private long nextOpening() {
        long first = Long.MAX_VALUE;
        for (int lane = 0; lane < next.length; lane++) {
            if (next[lane] < lanes.get(lane).size()) {
                first = Math.min(first, lanes.get(lane).first(next[lane]));
            }
        }
        return first;
    }

    /** Looks at all starts in {@code [begin, end]} at which a window opens; returns how many windows did. */
    private int batch(long begin, long end) {
        long[] events = new long[1024];
        int[] windowOf = next.clone();
        int size = 0;
        for (int lane = 0; lane < next.length; lane++) {
            var starts = lanes.get(lane);
            while (next[lane] < starts.size() && starts.first(next[lane]) <= end) {
                if (size == events.length) {
                    events = Arrays.copyOf(events, 2 * size);
                }
                long at = Math.max(0, starts.first(next[lane]) - begin);
                events[size++] = at << 24 | lane;
                next[lane]++;
            }
        }
        Arrays.sort(events, 0, size);
        best.step(size);
        for (int i = 0; i < size && !best.isSpent(); ) {
            long at = events[i] >>> 24;
            if (!promise.mayBeBetter(best, open.when(begin + at))) {
                break;
            }
            int first = i;
            for (; i < size && events[i] >>> 24 == at; i++) {
                int lane = (int) (events[i] & 0xffffff);
                open(lane, lanes.get(lane).last(windowOf[lane]++));
            }
            look(begin + at, events, first, i);
        }
        return size;
    }

    private void open(int lane, long last) {
        for (int[] option : optionsOfLane.get(lane)) {
            open.parts[option[0]].open(option[1], last);
        }
    }

    private void look(long start, long[] events, int first, int end) {
        if (start > latest || !possible.contains(start) || !best.step(LOOK) || !open.canServeAll(start)) {
            return;
        }
        if (end - first > FEW) {
            open.search(-1, -1);
            return;
        }
        for (int i = first; i < end; i++) {
            for (int[] option : optionsOfLane.get((int) (events[i] & 0xffffff))) {
                open.search(option[0], option[1]);
            }
        }
    }
}
