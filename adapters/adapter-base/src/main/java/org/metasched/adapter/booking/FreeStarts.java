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
record FreeStarts(BookingScheduler site, Need.Nodes need, Duration length) {

    Optional<Instant> first(Instant notBefore) throws LocalSchedulerException {
        Instant from = TimeSlot.later(notBefore, soonest());
        Instant end = site.previewWindow().endFrom(site.now());
        if (from.isAfter(end)) {
            return Optional.empty();
        }
        SitePlan plan = plan(from);
        Optional<Instant> start = plan.earliestStart(need, length, from);
        if (start.isEmpty() || confirms(start.get())) {
            return start;
        }
        var rest = new TimeSlot(start.get(), TimeSlot.later(start.get(), end).plusSeconds(1));
        return confirmed(plan.freeWindows(need, length, rest)).starts().stream()
                .map(StartInterval::earliest)
                .findFirst();
    }

    FreeWindows within(TimeSlot starts) throws LocalSchedulerException {
        Instant from = TimeSlot.later(starts.start(), soonest());
        return from.isBefore(starts.end())
                ? confirmed(plan(from).freeWindows(need, length, new TimeSlot(from, starts.end())))
                : new FreeWindows("", List.of());
    }

    /** The windows whose first start the scheduler confirms. */
    private FreeWindows confirmed(FreeWindows windows) throws LocalSchedulerException {
        var agreed = new ArrayList<StartInterval>();
        for (StartInterval window : windows.starts()) {
            if (confirms(window.earliest())) {
                agreed.add(window);
            }
        }
        return new FreeWindows(windows.version(), agreed);
    }

    private boolean confirms(Instant start) throws LocalSchedulerException {
        return site.confirms(need, site.previewWindow().covering(start, length));
    }

    private SitePlan plan(Instant from) throws LocalSchedulerException {
        Instant latest = TimeSlot.later(from, site.previewWindow().endFrom(site.now()));
        return site.plan(
                need,
                site.previewWindow()
                        .covering(from, Duration.between(from, latest).plus(length)));
    }

    /**
     * The soonest start on offer: the first whole minute at least the lead time from now. In whole minutes, because an
     * answer that moves with every second would never be given twice (rule A2).
     */
    private Instant soonest() {
        return site.now()
                .plus(site.rules().leadTime())
                .plusSeconds(60)
                .minusNanos(1)
                .truncatedTo(ChronoUnit.MINUTES);
    }
}
