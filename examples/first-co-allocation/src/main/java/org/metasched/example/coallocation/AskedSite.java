package org.metasched.example.coallocation;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.metasched.adapter.LocalScheduler;
import org.metasched.adapter.LocalSchedulerException;
import org.metasched.adapter.PreviewWindow;
import org.metasched.adapter.RequestKey;
import org.metasched.adapter.Reservation;
import org.metasched.adapter.ReservationId;
import org.metasched.adapter.ReservationStatus;
import org.metasched.adapter.ResourceRequest;
import org.metasched.adapter.SiteId;

/** A site that remembers its answers to {@link #earliestStart}, and passes all calls on to another scheduler. Thread-safe. */
final class AskedSite implements LocalScheduler {

    private final LocalScheduler scheduler;
    private final ConcurrentMap<Instant, Optional<Instant>> answers = new ConcurrentHashMap<>();

    AskedSite(LocalScheduler scheduler) {
        this.scheduler = scheduler;
    }

    /** The earliest starts, by the instants that were asked about. */
    Map<Instant, Optional<Instant>> answers() {
        return Map.copyOf(answers);
    }

    void forgetAnswers() {
        answers.clear();
    }

    @Override
    public Optional<Instant> earliestStart(ResourceRequest request, Instant notBefore) throws LocalSchedulerException {
        Optional<Instant> answer = scheduler.earliestStart(request, notBefore);
        answers.put(notBefore, answer);
        return answer;
    }

    @Override
    public SiteId site() {
        return scheduler.site();
    }

    @Override
    public PreviewWindow previewWindow() {
        return scheduler.previewWindow();
    }

    @Override
    public Reservation reserve(RequestKey key, ResourceRequest request, Instant start) throws LocalSchedulerException {
        return scheduler.reserve(key, request, start);
    }

    @Override
    public Optional<ReservationStatus> find(RequestKey key) throws LocalSchedulerException {
        return scheduler.find(key);
    }

    @Override
    public void cancel(ReservationId id) throws LocalSchedulerException {
        scheduler.cancel(id);
    }

    @Override
    public ReservationStatus state(ReservationId id) throws LocalSchedulerException {
        return scheduler.state(id);
    }
}
