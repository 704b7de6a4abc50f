package org.metasched.adapter.policy;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.metasched.adapter.FreeWindows;
import org.metasched.adapter.FreeWindows.StartInterval;
import org.metasched.adapter.LoadReporting;
import org.metasched.adapter.LocalScheduler;
import org.metasched.adapter.LocalSchedulerException;
import org.metasched.adapter.PreviewWindow;
import org.metasched.adapter.RequestKey;
import org.metasched.adapter.Reservation;
import org.metasched.adapter.ReservationId;
import org.metasched.adapter.ReservationState;
import org.metasched.adapter.ReservationStatus;
import org.metasched.adapter.ResourceRequest;
import org.metasched.adapter.SiteId;
import org.metasched.adapter.TimeSlot;
import org.metasched.adapter.WindowListing;

/** A scheduler that is always free and grants everything: what is refused is refused by the policy. */
final class OpenSite implements LocalScheduler, WindowListing, LoadReporting {

    static final int NODES = 64;

    final Map<RequestKey, ReservationStatus> made = new LinkedHashMap<>();

    @Nullable
    LocalSchedulerException mishap;

    boolean forgets;

    private final Clock clock;
    private final Duration lookAhead;

    OpenSite(Clock clock, Duration lookAhead) {
        this.clock = clock;
        this.lookAhead = lookAhead;
    }

    @Override
    public SiteId site() {
        return new SiteId("open");
    }

    @Override
    public PreviewWindow previewWindow() {
        return new PreviewWindow(lookAhead);
    }

    @Override
    public Optional<Instant> earliestStart(ResourceRequest request, Instant notBefore) {
        return notBefore.isAfter(clock.instant().plus(lookAhead)) ? Optional.empty() : Optional.of(notBefore);
    }

    @Override
    public FreeWindows freeWindows(ResourceRequest request, TimeSlot within) {
        return new FreeWindows("1", List.of(new StartInterval(within.start(), within.end())));
    }

    @Override
    public Reservation reserve(RequestKey key, ResourceRequest request, Instant start) throws LocalSchedulerException {
        if (mishap != null) {
            throw mishap;
        }
        return made.computeIfAbsent(
                        key,
                        k -> new ReservationStatus(
                                ReservationState.RESERVED,
                                new Reservation(
                                        new ReservationId("id-" + key),
                                        key,
                                        TimeSlot.of(start, request.duration()),
                                        request.need(),
                                        List.of())))
                .reservation();
    }

    @Override
    public Optional<ReservationStatus> find(RequestKey key) {
        return Optional.ofNullable(made.get(key));
    }

    @Override
    public void cancel(ReservationId id) throws LocalSchedulerException {
        if (forgets) {
            throw new LocalSchedulerException.UnknownReservation(site(), id);
        }
        made.values().removeIf(status -> status.reservation().id().equals(id));
    }

    @Override
    public ReservationStatus state(ReservationId id) throws LocalSchedulerException {
        return made.values().stream()
                .filter(status -> status.reservation().id().equals(id))
                .findFirst()
                .orElseThrow(() -> new LocalSchedulerException.UnknownReservation(site(), id));
    }

    @Override
    public Optional<WindowListing> windowListing() {
        return Optional.of(this);
    }

    @Override
    public Optional<LoadReporting> loadReporting() {
        return Optional.of(this);
    }

    @Override
    public SiteLoad load() {
        return new SiteLoad(NODES, NODES, 0, 0);
    }
}
