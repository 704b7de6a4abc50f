package org.metasched.adapter.soap;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.metasched.adapter.FreeWindows;
import org.metasched.adapter.LoadReporting;
import org.metasched.adapter.LocalScheduler;
import org.metasched.adapter.LocalSchedulerException;
import org.metasched.adapter.LocalSchedulerException.Refused;
import org.metasched.adapter.LocalSchedulerException.UnknownReservation;
import org.metasched.adapter.PreviewWindow;
import org.metasched.adapter.RequestKey;
import org.metasched.adapter.Reservation;
import org.metasched.adapter.ReservationId;
import org.metasched.adapter.ReservationState;
import org.metasched.adapter.ReservationStatus;
import org.metasched.adapter.ResourceRequest;
import org.metasched.adapter.RuntimeSupport;
import org.metasched.adapter.SiteId;
import org.metasched.adapter.TimeSlot;
import org.metasched.adapter.WindowListing;

/** A scheduler that writes what it is asked into a notebook; any operation can be told to fail. */
class NotebookScheduler implements LocalScheduler {

    final Map<RequestKey, ReservationStatus> byKey = new LinkedHashMap<>();
    final Map<RequestKey, ResourceRequest> requests = new LinkedHashMap<>();
    final Map<String, String> published = new TreeMap<>();
    List<String> bound = List.of();
    volatile List<String> remarks = List.of();
    final AtomicInteger listings = new AtomicInteger();
    /** Thrown by every operation when set. */
    volatile @Nullable Exception mishap;

    Instant firstFree = Instant.parse("2030-01-05T10:00:00Z");

    @Override
    public SiteId site() {
        return new SiteId("fzj");
    }

    @Override
    public Map<ReservationId, ReservationStatus> states(Collection<ReservationId> ids) throws LocalSchedulerException {
        listings.incrementAndGet();
        return LocalScheduler.super.states(ids);
    }

    @Override
    public PreviewWindow previewWindow() {
        return new PreviewWindow(Duration.ofDays(14), Duration.ofMinutes(5));
    }

    @Override
    public Optional<Instant> earliestStart(ResourceRequest request, Instant notBefore) throws LocalSchedulerException {
        fail();
        if (request.need().amount() > 64) {
            return Optional.empty();
        }
        return Optional.of(notBefore.isAfter(firstFree) ? notBefore : firstFree);
    }

    @Override
    public synchronized Reservation reserve(RequestKey key, ResourceRequest request, Instant start)
            throws LocalSchedulerException {
        fail();
        if (start.isBefore(firstFree)) {
            throw new Refused("All nodes are taken until " + firstFree + ".", Optional.of(firstFree));
        }
        requests.put(key, request);
        return byKey.computeIfAbsent(
                        key,
                        k -> new ReservationStatus(
                                ReservationState.RESERVED,
                                new Reservation(
                                        new ReservationId("R" + (byKey.size() + 1) + ".pbs"),
                                        k,
                                        TimeSlot.of(start, request.duration()),
                                        request.need(),
                                        List.of("node01", "node02")),
                                List.of("node02"),
                                "confirmed \u001b[1m& bold <b>"))
                .reservation();
    }

    @Override
    public synchronized Optional<ReservationStatus> find(RequestKey key) throws LocalSchedulerException {
        fail();
        return Optional.ofNullable(byKey.get(key));
    }

    @Override
    public synchronized void cancel(ReservationId id) throws LocalSchedulerException {
        fail();
        byKey.replaceAll((key, s) -> s.reservation().id().equals(id)
                ? new ReservationStatus(ReservationState.CANCELLED, s.reservation())
                : s);
    }

    @Override
    public synchronized ReservationStatus state(ReservationId id) throws LocalSchedulerException {
        fail();
        return byKey.values().stream()
                .filter(s -> s.reservation().id().equals(id))
                .findFirst()
                .orElseThrow(() -> new UnknownReservation(site(), id));
    }

    @Override
    public Optional<WindowListing> windowListing() {
        return Optional.of((request, within) -> {
            fail();
            return new FreeWindows(
                    "v7",
                    List.of(new FreeWindows.StartInterval(
                            firstFree, within.end().minusSeconds(1))));
        });
    }

    @Override
    public Optional<RuntimeSupport> runtimeSupport() {
        return Optional.of(new RuntimeSupport() {
            @Override
            public void bind(ReservationId id, List<String> nodeAddresses) throws LocalSchedulerException {
                state(id);
                bound = List.copyOf(nodeAddresses);
            }

            @Override
            public void publish(ReservationId id, String name, String content) throws LocalSchedulerException {
                state(id);
                published.put(name, content);
            }
        });
    }

    @Override
    public Optional<LoadReporting> loadReporting() {
        return Optional.of(() -> new LoadReporting.SiteLoad(64, 40, 3, 9, remarks));
    }

    private void fail() throws LocalSchedulerException {
        if (mishap instanceof LocalSchedulerException e) {
            throw e;
        } else if (mishap instanceof RuntimeException e) {
            throw e;
        }
    }
}
