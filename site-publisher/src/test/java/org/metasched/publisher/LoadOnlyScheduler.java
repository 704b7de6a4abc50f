package org.metasched.publisher;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.metasched.adapter.LoadReporting;
import org.metasched.adapter.LocalScheduler;
import org.metasched.adapter.LocalSchedulerException;
import org.metasched.adapter.LocalSchedulerException.Refused;
import org.metasched.adapter.LocalSchedulerException.UnknownReservation;
import org.metasched.adapter.PreviewWindow;
import org.metasched.adapter.RequestKey;
import org.metasched.adapter.Reservation;
import org.metasched.adapter.ReservationId;
import org.metasched.adapter.ReservationStatus;
import org.metasched.adapter.ResourceRequest;
import org.metasched.adapter.SiteId;

/** A site that sells nothing and tells its load. */
abstract class LoadOnlyScheduler implements LocalScheduler {

    protected abstract LoadReporting.SiteLoad now() throws LocalSchedulerException;

    @Override
    public SiteId site() {
        return new SiteId("uw-hep");
    }

    @Override
    public PreviewWindow previewWindow() {
        return new PreviewWindow(Duration.ofDays(1));
    }

    @Override
    public Optional<LoadReporting> loadReporting() {
        return Optional.of(this::now);
    }

    @Override
    public Optional<Instant> earliestStart(ResourceRequest request, Instant notBefore) {
        return Optional.empty();
    }

    @Override
    public Reservation reserve(RequestKey key, ResourceRequest request, Instant start) throws Refused {
        throw new Refused("Site " + site() + " sells nothing.");
    }

    @Override
    public Optional<ReservationStatus> find(RequestKey key) {
        return Optional.empty();
    }

    @Override
    public void cancel(ReservationId id) {
        // there is nothing to give up
    }

    @Override
    public ReservationStatus state(ReservationId id) throws UnknownReservation {
        throw new UnknownReservation(site(), id);
    }
}
