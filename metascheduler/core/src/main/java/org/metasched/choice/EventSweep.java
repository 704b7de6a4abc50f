package org.metasched.choice;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongUnaryOperator;

/**
 * One pass over the starts of a branch whose stages have fixed distances, in their order. Places with the same windows are one lane. The
 * windows are sorted piece by piece, as a search for the earliest start needs only those up to its answer. For one use, by one thread.
 */
final class EventSweep {

    /** Windows that are sorted at a time, approximately. */
    private static final int BATCH = 1 << 16;
    /** Windows looked at in vain after which the remaining starts are narrowed by all parts first: that costs less. */
    private static final int MANY = 4 * BATCH;
    /** Most newly free places at a start for which plans are searched place by place; with more, all plans are searched at once. */
    private static final int FEW = 3;
    /** Cost of a start, in steps. */
    private static final int STEPS_PER_START = 2;

    private final ChoiceBranch branch;
    /** Least time from the start of the whole to the start of stage 0, in seconds: the sweep goes over the starts of that stage. */
    private final long head;

    private final long from;
    private final long latest;
    private final BestPlans best;
    private final UpperBound upperBound;
    private final BranchAndBoundSearch search;
    private final List<FeasibleStarts> lanes = new ArrayList<>();
    private final List<List<int[]>> optionsOfLane = new ArrayList<>();
    /** For each lane, its next window. */
    private int[] next = {};
    /** The starts that are looked at. */
    private FeasibleStarts possible = FeasibleStarts.NONE;

    EventSweep(int number, ChoiceBranch branch, long from, long latest, BestPlans best) {
        this.branch = branch;
        this.head = branch.network().head(0);
        this.from = from + head;
        this.latest = latest + head;
        this.best = best;
        this.upperBound = new UpperBound(branch, best.preference());
        this.search = new BranchAndBoundSearch(number, branch, best);
        Map<FeasibleStarts, Integer> laneOf = new IdentityHashMap<>();
        for (int p = 0; p < branch.parts().size(); p++) {
            var starts = search.parts[p].starts();
            for (int o = 0; o < starts.length; o++) {
                int lane = laneOf.computeIfAbsent(starts[o], this::newLane);
                optionsOfLane.get(lane).add(new int[] {p, o});
            }
        }
    }

    /** Excludes starts at which parts with more than {@code over} windows, up to {@code most}, have too few options. */
    private void narrow(long over, long most) {
        for (int p = 0; p < branch.parts().size(); p++) {
            var part = branch.parts().get(p);
            var starts = List.of(search.parts[p].starts());
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

    /** Excludes starts without the total: for any share, the pieces' excess over it must make up for what the shares are short of the total. */
    private void narrow(ChoicePart part, int p, List<FeasibleStarts> starts) {
        int even = (part.total() - 1) / part.most();
        for (int share : new int[] {0, even / 2, even - even / 8, even}) {
            var excess = search.parts[p].amounts().stream()
                    .map(amount -> Math.max(0, amount - share))
                    .toList();
            possible = possible.where(part.total() - part.most() * share, starts, excess);
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
        if (best.wantsOnlyBest() && Arrays.stream(search.parts).allMatch(PartOptions::isOneWay)) {
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
        long seen = 0;
        long begin = jump(from);
        while (begin <= latest && !best.isSpent() && upperBound.mayBeBetter(best, search.when(begin))) {
            long end = Math.min(latest, begin + width - 1);
            int opened = batch(begin, end);
            boolean wereFew = seen < MANY;
            seen += opened;
            if (wereFew && seen >= MANY) {
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
            for (var part : search.parts) {
                part.openAt(start, false);
            }
            if (search.moveTo(start)) {
                search.search(-1, -1);
            }
        }
    }

    /** The next start from {@code begin} on at which no part has too few options. Opens windows that are open there and skips those before. */
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

    /** The first start of all windows to come. */
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
        // An event has the seconds after begin in its upper 40 bits, and the lane in its lower 24.
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
            if (!upperBound.mayBeBetter(best, search.when(begin + at))) {
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
            search.parts[option[0]].open(option[1], last);
        }
    }

    private void look(long start, long[] events, int first, int end) {
        if (start > latest || !possible.contains(start) || !best.step(STEPS_PER_START) || !search.moveTo(start)) {
            return;
        }
        if (end - first > FEW) {
            search.search(-1, -1);
            return;
        }
        for (int i = first; i < end; i++) {
            for (int[] option : optionsOfLane.get((int) (events[i] & 0xffffff))) {
                search.search(option[0], option[1]);
            }
        }
    }
}
