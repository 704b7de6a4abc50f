package org.metasched.adapter.booking;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.metasched.adapter.FreeWindows;
import org.metasched.adapter.FreeWindows.StartInterval;
import org.metasched.adapter.LocalSchedulerException;
import org.metasched.adapter.Need;
import org.metasched.adapter.TimeSlot;

/** Starts in a site's plan that its scheduler confirms, none before the soonest start on offer. */
record FreeStarts(BookingScheduler scheduler, Need.Nodes need, Duration length) {

    Optional<Instant> first(Instant notBefore) throws LocalSchedulerException {
        Instant from = TimeSlot.later(notBefore, soonest());
        Instant end = scheduler.previewWindow().endFrom(scheduler.now());
        if (from.isAfter(end)) {
            return Optional.empty();
        }
        SitePlan plan = plan(from);
        Optional<Instant> start = plan.earliestStart(need, length, from);
        if (start.isEmpty() || confirms(start.get())) {
            return start;
        }
        return confirmed(plan.freeWindows(need, length, start.get(), end), start.get(), 1).starts().stream()
                .map(StartInterval::earliest)
                .findFirst();
    }

    FreeWindows within(TimeSlot starts) throws LocalSchedulerException {
        Instant from = TimeSlot.later(starts.start(), soonest());
        if (from.isAfter(starts.end())) {
            return new FreeWindows("", List.of());
        }
        var windows = plan(from).freeWindows(need, length, from, starts.end());
        return confirmed(windows, Instant.MAX, Integer.MAX_VALUE);
    }

    /**
     * The rest of each window from the first start that the scheduler confirms. To ask few questions for a window, the scheduler is asked
     * about the window's first start and then about whole hours only: 1, 2, 4 … hours after the hour of that start.
     *
     * @param refused a start that the scheduler has refused already, and is not asked about again
     * @param most number of windows to find
     */
    private FreeWindows confirmed(FreeWindows windows, Instant refused, int most) throws LocalSchedulerException {
        var agreed = new ArrayList<StartInterval>();
        for (StartInterval window : windows.starts()) {
            boolean found = agreed.size() >= most;
            Instant start = window.earliest();
            for (int hours = 1; !found && !start.isAfter(window.latest()); hours *= 2) {
                if (!start.equals(refused) && confirms(start)) {
                    found = agreed.add(new StartInterval(start, window.latest()));
                }
                start = window.earliest().truncatedTo(ChronoUnit.HOURS).plus(hours, ChronoUnit.HOURS);
            }
        }
        return new FreeWindows(windows.version(), agreed);
    }

    private boolean confirms(Instant start) throws LocalSchedulerException {
        return scheduler.confirms(need, scheduler.previewWindow().covering(start, length));
    }

    private SitePlan plan(Instant from) throws LocalSchedulerException {
        var preview = scheduler.previewWindow();
        Instant end = TimeSlot.later(from, preview.endFrom(scheduler.now())).plus(length);
        return scheduler.plan(need, preview.covering(from, Duration.between(from, end)));
    }

    /**
     * The soonest start on offer: the first whole minute at least the lead time from now. In whole minutes, because an
     * answer that moves with every second would never be given twice (rule A2 of {@code metasched adapter check}).
     */
    private Instant soonest() {
        Instant ready = scheduler.now().plus(scheduler.rules().leadTime());
        return ready.plusSeconds(60).minusNanos(1).truncatedTo(ChronoUnit.MINUTES);
    }
}
