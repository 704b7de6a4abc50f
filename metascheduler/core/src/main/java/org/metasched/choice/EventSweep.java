package org.metasched.choice;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongUnaryOperator;

/**
 * One pass over the starts of a branch whose stages have fixed distances, in their order. Places with the same windows share one calendar.
 * The windows are sorted piece by piece, as a search for the earliest start needs only those up to its answer. For one use, by one thread.
 */
final class EventSweep {

    /** Windows that are sorted at a time, approximately. */
    private static final int BATCH = 1 << 16;
    /** Opened windows after which the parts with many windows narrow the remaining starts, too: that costs less than to search on. */
    private static final int NARROW_AFTER = 4 * BATCH;
    /** Most windows that open at a start for a search of the plans of each window; with more, all plans are searched at once. */
    private static final int MOST_SINGLE_SEARCHES = 3;
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
    private final List<FeasibleStarts> calendars = new ArrayList<>();
    /** For each calendar, its options, each by the index of its part and its own. */
    private final List<List<int[]>> optionsOfCalendar = new ArrayList<>();
    /** For each calendar, the index of its next window. */
    private int[] next = {};
    /** The starts that are considered. */
    private FeasibleStarts possible = FeasibleStarts.NONE;

    EventSweep(int number, ChoiceBranch branch, long from, long latest, BestPlans best) {
        this.branch = branch;
        this.head = branch.network().head(0);
        this.from = from + head;
        this.latest = latest + head;
        this.best = best;
        this.upperBound = new UpperBound(branch, best.preference);
        this.search = new BranchAndBoundSearch(number, branch, best);
        Map<FeasibleStarts, Integer> calendarOf = new IdentityHashMap<>();
        for (int p = 0; p < branch.parts().size(); p++) {
            var starts = search.parts[p].starts();
            for (int o = 0; o < starts.length; o++) {
                int calendar = calendarOf.computeIfAbsent(starts[o], this::newCalendar);
                optionsOfCalendar.get(calendar).add(new int[] {p, o});
            }
        }
    }

    /** Excludes starts at which a part with more than {@code over} and at most {@code most} windows has too few options. */
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

    /**
     * Excludes starts at which the options do not give the total. Pieces of at most a share each are short of the total by some amount: what
     * larger pieces have above the share must make up for it. This holds for any share; these few exclude most starts.
     */
    private void narrow(ChoicePart part, int p, List<FeasibleStarts> starts) {
        // The largest share with which all pieces together are short of the total.
        int even = (part.total() - 1) / part.most();
        for (int share : new int[] {0, even / 2, even - even / 8, even}) {
            var excess = search.parts[p].amounts().stream()
                    .map(amount -> Math.max(0, amount - share))
                    .toList();
            possible = possible.where(part.total() - part.most() * share, starts, excess);
        }
    }

    private int newCalendar(FeasibleStarts starts) {
        calendars.add(starts);
        optionsOfCalendar.add(new ArrayList<>());
        return calendars.size() - 1;
    }

    void run() {
        if (from > latest || !branch.parts().stream().allMatch(ChoicePart::isEverPossible)) {
            return;
        }
        if (best.wantsOnlyBest() && Arrays.stream(search.parts).allMatch(PartOptions::isOneWay)) {
            searchCommonStart();
            return;
        }
        next = new int[calendars.size()];
        long windows = 0;
        for (int calendar = 0; calendar < next.length; calendar++) {
            next[calendar] = calendars.get(calendar).from(from);
            windows += calendars.get(calendar).size() - next[calendar];
        }
        double range = latest - from + 1.0;
        long width = (long) Math.max(1, Math.min(range, range * BATCH / Math.max(1, windows)));
        possible = FeasibleStarts.of(from, latest);
        // The parts with few windows are counted at once, the others only if the search goes on for long.
        narrow(0, windows / 4);
        long seen = 0;
        long begin = jump(from);
        while (begin <= latest && !best.isSpent() && upperBound.mayBeBetter(best, search.when(begin))) {
            long end = Math.min(latest, begin + width - 1);
            int opened = batch(begin, end);
            boolean wereFew = seen < NARROW_AFTER;
            seen += opened;
            if (wereFew && seen >= NARROW_AFTER) {
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

    /** Searches at the first start that all parts have in common. If there is only one way to serve them, no other start is better. */
    private void searchCommonStart() {
        var places = calendars.stream()
                .<LongUnaryOperator>map(calendar -> calendar::next)
                .toList();
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

    /** Goes to the next possible start from {@code begin} on. Opens earlier windows that are open there, and skips those that are over. */
    private long jump(long begin) {
        long end = possible.next(begin);
        if (end == begin || end > latest) {
            return end;
        }
        for (int calendar = 0; calendar < next.length; calendar++) {
            var starts = calendars.get(calendar);
            int at = Math.max(next[calendar], starts.from(end));
            next[calendar] = at;
            if (at < starts.size() && starts.first(at) < end) {
                open(calendar, starts.last(at));
                next[calendar]++;
            }
        }
        return end;
    }

    /** The first start of all windows to come; {@link Long#MAX_VALUE} if there are none. */
    private long nextOpening() {
        long first = Long.MAX_VALUE;
        for (int calendar = 0; calendar < next.length; calendar++) {
            if (next[calendar] < calendars.get(calendar).size()) {
                first = Math.min(first, calendars.get(calendar).first(next[calendar]));
            }
        }
        return first;
    }

    /** Searches at all starts in {@code [begin, end]} at which a window opens; returns the number of these windows. */
    private int batch(long begin, long end) {
        // An event has the seconds after begin in its upper 40 bits, and the calendar in its lower 24.
        long[] events = new long[1024];
        int[] windowOf = next.clone();
        int size = 0;
        for (int calendar = 0; calendar < next.length; calendar++) {
            var starts = calendars.get(calendar);
            while (next[calendar] < starts.size() && starts.first(next[calendar]) <= end) {
                if (size == events.length) {
                    events = Arrays.copyOf(events, 2 * size);
                }
                long at = Math.max(0, starts.first(next[calendar]) - begin);
                events[size++] = at << 24 | calendar;
                next[calendar]++;
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
                int calendar = (int) (events[i] & 0xffffff);
                open(calendar, calendars.get(calendar).last(windowOf[calendar]++));
            }
            searchAt(begin + at, events, first, i);
        }
        return size;
    }

    private void open(int calendar, long last) {
        for (int[] option : optionsOfCalendar.get(calendar)) {
            search.parts[option[0]].open(option[1], last);
        }
    }

    /** Searches the plans with a window that opens at a start: those of the events from {@code first} to before {@code end}. */
    private void searchAt(long start, long[] events, int first, int end) {
        if (start > latest || !possible.contains(start) || !best.step(STEPS_PER_START) || !search.moveTo(start)) {
            return;
        }
        if (end - first > MOST_SINGLE_SEARCHES) {
            search.search(-1, -1);
            return;
        }
        for (int i = first; i < end; i++) {
            for (int[] option : optionsOfCalendar.get((int) (events[i] & 0xffffff))) {
                search.search(option[0], option[1]);
            }
        }
    }
}
