package org.metasched.overview;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.metasched.adapter.FreeWindows.StartInterval;
import org.metasched.adapter.LoadReporting.SiteLoad;
import org.metasched.adapter.LocalScheduler;
import org.metasched.adapter.LocalSchedulerException;
import org.metasched.adapter.Need;
import org.metasched.adapter.RequestKey;
import org.metasched.adapter.Requester;
import org.metasched.adapter.ResourceRequest;
import org.metasched.adapter.SiteId;
import org.metasched.adapter.TimeSlot;
import org.metasched.agreement.Agreement;
import org.metasched.agreement.SiteCommitment;
import org.metasched.overview.SiteSnapshot.Busy;
import org.metasched.sites.SiteCalls;
import org.metasched.sites.SiteCalls.Answer;
import org.metasched.sites.SiteCalls.Call;

/** Asks sites in parallel for load and free windows, and adds their newest ads. Thread-safe. */
public final class SiteQuery {

    private static final Duration QUARTER_HOUR = Duration.ofMinutes(15);
    private static final int MOST_WINDOWS = 8_000;
    /** A page does not wait longer; a slower site is shown by its last load, unless that is older than {@link #LOAD_NANOS}. */
    private static final Duration TIMEOUT = Duration.ofMillis(800);

    private static final long LOAD_NANOS = Duration.ofMinutes(1).toNanos();
    /** Age at which windows are asked for again, as a site's own users change them too. */
    private static final long WINDOWS_NANOS = Duration.ofMinutes(10).toNanos();

    private static final RequestKey PROBE = new RequestKey("probe");

    private final SiteCalls calls;
    private final AdvertisedAds advertised;

    private record WindowQuestion(SiteId site, ResourceRequest request, TimeSlot slot) {}

    /** @param at steady time of the answer in nanoseconds */
    private record Known<T>(T answer, long at) {}

    /** Free windows that sites listed, valid until they are old or an agreement at the site changes. */
    private final Map<WindowQuestion, Known<List<StartInterval>>> windows = new ConcurrentHashMap<>();

    /** The last load of each site, also when the caller had stopped waiting for it. */
    private final Map<SiteId, Known<Optional<SiteLoad>>> loads = new ConcurrentHashMap<>();

    private final LongSupplier nanoTime;

    public SiteQuery(SiteCalls calls, AdvertisedAds advertised) {
        this(calls, advertised, System::nanoTime);
    }

    SiteQuery(SiteCalls calls, AdvertisedAds advertised, LongSupplier nanoTime) {
        this.calls = calls;
        this.advertised = advertised;
        this.nanoTime = nanoTime;
    }

    private <T> Optional<T> recent(@Nullable Known<T> known, long nanos) {
        return Optional.ofNullable(known)
                .filter(last -> nanoTime.getAsLong() - last.at() < nanos)
                .map(Known::answer);
    }

    /** Forgets the windows of a changed agreement's sites. */
    public void forgetWindows(Agreement agreement) {
        var changed = agreement.commitments().stream().map(SiteCommitment::site).collect(Collectors.toSet());
        windows.keySet().removeIf(question -> changed.contains(question.site()));
    }

    /** @param free possible starts of the wish, if the site lists them */
    private record SiteAnswer(Optional<SiteLoad> load, List<Busy> busy, Optional<List<StartInterval>> free) {}

    public List<SiteId> sites() {
        return calls.directory().sites();
    }

    /** Some sites as they look now, in the given order, within a second. */
    public List<SiteSnapshot> snapshots(List<SiteId> some) throws InterruptedException {
        return snapshots(some, Optional.empty(), Optional.empty(), site -> Optional.empty());
    }

    /**
     * Some sites as they look now, with their busy times and possible starts.
     *
     * @param ahead time in which each site is asked, by four more questions, when less than 1/4 to 4/4 of its nodes are free
     * @param person person for whom these questions are asked, if known
     * @param wish a request for each site; its possible starts in {@code ahead} are asked for too
     */
    public List<SiteSnapshot> snapshots(
            List<SiteId> some,
            Optional<TimeSlot> ahead,
            Optional<Requester> person,
            Function<SiteId, Optional<ResourceRequest>> wish)
            throws InterruptedException {
        List<Call<SiteAnswer>> questions = new ArrayList<>();
        for (var site : some) {
            questions.add(new Call<>(site, scheduler -> {
                var load = rememberedLoad(scheduler);
                var span = ahead.flatMap(time -> visible(scheduler, time));
                return new SiteAnswer(
                        load,
                        span.flatMap(time -> load.map(nodes -> busy(scheduler, nodes, time, person)))
                                .orElse(List.of()),
                        span.flatMap(time -> wish.apply(site).flatMap(request -> starts(scheduler, request, time))));
            }));
        }
        var answers = calls.askAll(questions, TIMEOUT);
        var ads = advertised.newestBySite();
        return IntStream.range(0, answers.size())
                .mapToObj(i -> snapshot(questions.get(i).site(), answers.get(i), ads))
                .toList();
    }

    /** The free windows of one site as far as it looks ahead, asked now; empty if it does not list them. */
    public Answer<Optional<List<StartInterval>>> freeWindows(SiteId site, ResourceRequest request, TimeSlot ahead)
            throws InterruptedException {
        return calls.askAll(List.of(new Call<>(site, scheduler -> {
                    var listing = scheduler.windowListing();
                    var visible = visible(scheduler, ahead);
                    return listing.isEmpty() || visible.isEmpty()
                            ? Optional.<List<StartInterval>>empty()
                            : Optional.of(listing.get()
                                    .freeWindows(request, visible.get())
                                    .starts());
                })))
                .get(0);
    }

    private SiteSnapshot snapshot(SiteId site, Answer<SiteAnswer> answer, Map<String, AdvertisedAds.SiteAd> ads) {
        var ad = Optional.ofNullable(ads.get(site.value()));
        var preview = calls.directory().get(site).previewWindow();
        return answer.fold(
                now -> new SiteSnapshot(site, preview, Optional.empty(), now.load(), ad, now.busy(), now.free()),
                problem -> {
                    var last = recent(loads.get(site), LOAD_NANOS);
                    return new SiteSnapshot(
                            site,
                            preview,
                            last.isPresent() ? Optional.empty() : Optional.of(String.valueOf(problem.getMessage())),
                            last.flatMap(load -> load),
                            ad,
                            List.of(),
                            Optional.empty());
                });
    }

    /** The time, cut to the length of the site's look-ahead. The site itself leaves out starts that it cannot see yet. */
    private static Optional<TimeSlot> visible(LocalScheduler site, TimeSlot ahead) {
        Instant last = ahead.start().plus(site.previewWindow().lookAhead());
        Instant end = last.isBefore(ahead.end()) ? last : ahead.end();
        return end.isAfter(ahead.start()) ? Optional.of(new TimeSlot(ahead.start(), end)) : Optional.empty();
    }

    /** Possible starts; empty if the site does not list its windows, cannot be asked, or refuses. */
    private Optional<List<StartInterval>> starts(LocalScheduler site, ResourceRequest request, TimeSlot ahead) {
        var listing = site.windowListing();
        var question = new WindowQuestion(site.site(), request, ahead);
        var known = recent(windows.get(question), WINDOWS_NANOS);
        if (known.isPresent() || listing.isEmpty()) {
            return known;
        }
        if (windows.size() >= MOST_WINDOWS) {
            windows.clear();
        }
        try {
            var starts = listing.get().freeWindows(request, ahead).starts();
            windows.put(question, new Known<>(starts, nanoTime.getAsLong()));
            return Optional.of(starts);
        } catch (LocalSchedulerException e) {
            return Optional.empty();
        }
    }

    /**
     * Times in which less than 1/4, 2/4, 3/4 or 4/4 of the nodes are free. Those of at most a quarter of an hour are left out, except at the
     * end. There are none if the site lists no windows.
     */
    private List<Busy> busy(LocalScheduler site, SiteLoad load, TimeSlot ahead, Optional<Requester> person) {
        List<Busy> busy = new ArrayList<>();
        for (int quarter = 1; quarter <= 4 && load.totalNodes() > 0; quarter++) {
            var nodes = new Need.Nodes(Math.max(1, load.totalNodes() * quarter / 4));
            var starts = starts(site, new ResourceRequest(nodes, QUARTER_HOUR, person), ahead);
            if (starts.isEmpty()) {
                return List.of();
            }
            Instant from = ahead.start();
            for (var free : starts.get()) {
                if (free.earliest().isAfter(from.plus(QUARTER_HOUR))) {
                    busy.add(new Busy(quarter, new TimeSlot(from, free.earliest())));
                }
                from = free.latest().plus(QUARTER_HOUR);
            }
            if (from.isBefore(ahead.end())) {
                busy.add(new Busy(quarter, new TimeSlot(from, ahead.end())));
            }
        }
        return busy;
    }

    private Optional<SiteLoad> rememberedLoad(LocalScheduler site) throws LocalSchedulerException {
        try {
            var load = load(site);
            loads.put(site.site(), new Known<>(load, nanoTime.getAsLong()));
            return load;
        } catch (LocalSchedulerException e) {
            loads.remove(site.site());
            throw e;
        }
    }

    /** A site that reports no load is asked for a reservation that does not exist, to see whether it answers. */
    private static Optional<SiteLoad> load(LocalScheduler site) throws LocalSchedulerException {
        var reporting = site.loadReporting();
        if (reporting.isPresent()) {
            return Optional.of(reporting.get().load());
        }
        site.find(PROBE);
        return Optional.empty();
    }
}
