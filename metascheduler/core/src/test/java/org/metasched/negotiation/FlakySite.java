package org.metasched.negotiation;

import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.metasched.adapter.LocalScheduler;
import org.metasched.adapter.LocalSchedulerException;
import org.metasched.adapter.LocalSchedulerException.Unreachable;
import org.metasched.adapter.PreviewWindow;
import org.metasched.adapter.RequestKey;
import org.metasched.adapter.Reservation;
import org.metasched.adapter.ReservationId;
import org.metasched.adapter.ReservationStatus;
import org.metasched.adapter.ResourceRequest;
import org.metasched.adapter.SiteId;

/** A site whose first questions get no answer. */
class FlakySite implements LocalScheduler {

    private final LocalScheduler site;
    private final AtomicInteger failures;

    FlakySite(LocalScheduler site, int failures) {
        this.site = site;
        this.failures = new AtomicInteger(failures);
    }

    @Override
    public SiteId site() {
        return site.site();
    }

    @Override
    public PreviewWindow previewWindow() {
        return site.previewWindow();
    }

    @Override
    public Optional<Instant> earliestStart(ResourceRequest request, Instant notBefore) throws LocalSchedulerException {
        if (failures.getAndDecrement() > 0) {
            throw new Unreachable("No answer.");
        }
        return site.earliestStart(request, notBefore);
    }

    @Override
    public Reservation reserve(RequestKey key, ResourceRequest request, Instant start) throws LocalSchedulerException {
        return site.reserve(key, request, start);
    }

    @Override
    public Optional<ReservationStatus> find(RequestKey key) throws LocalSchedulerException {
        return site.find(key);
    }

    @Override
    public void cancel(ReservationId id) throws LocalSchedulerException {
        site.cancel(id);
    }

    @Override
    public ReservationStatus state(ReservationId id) throws LocalSchedulerException {
        return site.state(id);
    }
}
