package org.metasched.it;

import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.metasched.adapter.LoadReporting;
import org.metasched.adapter.LocalScheduler;
import org.metasched.adapter.LocalSchedulerException;
import org.metasched.adapter.PreviewWindow;
import org.metasched.adapter.RequestKey;
import org.metasched.adapter.Reservation;
import org.metasched.adapter.ReservationChange;
import org.metasched.adapter.ReservationId;
import org.metasched.adapter.ReservationStatus;
import org.metasched.adapter.ResourceRequest;
import org.metasched.adapter.SiteId;
import org.metasched.adapter.WindowListing;

/**
 * A site at which somebody dies: the n-th message that changes or looks up a reservation, counted over all sites of a
 * {@link Wire}, sets something off before or after it takes effect, and before it is answered. Thread-safe.
 */
final class Tripwire implements LocalScheduler {

    private final LocalScheduler site;
    private final Wire wire;

    Tripwire(LocalScheduler site, Wire wire) {
        this.site = site;
        this.wire = wire;
    }

    /** What several sites share. */
    static final class Wire {

        private final AtomicReference<Trap> trap = new AtomicReference<>(new Trap(0, () -> {}));

        private record Trap(int stepsLeft, Runnable effect) {
            Trap next() {
                return new Trap(stepsLeft - 1, effect);
            }
        }

        /**
         * @param step of those that come from now on, two for each message: before and after it takes effect
         * @return opened when the effect is over
         */
        CountDownLatch trip(int step, Runnable effect) {
            var over = new CountDownLatch(1);
            trap.set(new Trap(step, () -> {
                effect.run();
                over.countDown();
            }));
            return over;
        }

        private void step() {
            var mine = trap.getAndUpdate(Trap::next);
            if (mine.stepsLeft == 1) {
                mine.effect.run();
            }
        }
    }

    /** A message about reservations. */
    private interface Call<T> {
        T make() throws LocalSchedulerException;
    }

    private <T> T between(Call<T> call) throws LocalSchedulerException {
        wire.step();
        try {
            return call.make();
        } finally {
            wire.step();
        }
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
        return site.earliestStart(request, notBefore);
    }

    @Override
    public Reservation reserve(RequestKey key, ResourceRequest request, Instant start) throws LocalSchedulerException {
        return between(() -> site.reserve(key, request, start));
    }

    @Override
    public Optional<ReservationStatus> find(RequestKey key) throws LocalSchedulerException {
        return between(() -> site.find(key));
    }

    @Override
    public void cancel(ReservationId id) throws LocalSchedulerException {
        between(() -> {
            site.cancel(id);
            return id;
        });
    }

    @Override
    public ReservationStatus state(ReservationId id) throws LocalSchedulerException {
        return between(() -> site.state(id));
    }

    @Override
    public Optional<ReservationChange> reservationChange() {
        return site.reservationChange()
                .map(ability -> (id, request, start) -> between(() -> ability.change(id, request, start)));
    }

    @Override
    public Optional<WindowListing> windowListing() {
        return site.windowListing();
    }

    @Override
    public Optional<LoadReporting> loadReporting() {
        return site.loadReporting();
    }
}
