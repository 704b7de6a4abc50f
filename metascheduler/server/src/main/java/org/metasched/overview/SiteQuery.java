package org.metasched.overview;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.metasched.adapter.FreeWindows.StartInterval;
import org.metasched.adapter.LoadReporting.SiteLoad;
import org.metasched.adapter.LocalScheduler;
import org.metasched.adapter.LocalSchedulerException;
import org.metasched.adapter.RequestKey;
import org.metasched.adapter.ResourceRequest;
import org.metasched.adapter.SiteId;
import org.metasched.adapter.TimeSlot;
import org.metasched.agreement.Agreement;
import org.metasched.agreement.SiteCommitment;
import org.metasched.overview.SiteSnapshot.Busy;
import org.metasched.sites.SiteCalls;
import org.metasched.sites.SiteCalls.Answer;
import org.metasched.sites.SiteCalls.Call;

/** Looks at all sites at once: their load, and their newest ads. Thread-safe. */
public final class SiteQuery {

    private static final Duration SHORT = Duration.ofMinutes(15);
    private static final int MOST_KNOWN = 8_000;
    /** Pages do not wait longer; a slower site is shown as it was the last time, unless that is too old. */
    private static final Duration PATIENCE = Duration.ofMillis(800);

    private static final long FRESH = Duration.ofMinutes(1).toNanos();
    private static final RequestKey PROBE = new RequestKey("probe");

    private final SiteCalls calls;
    private final AdvertisedAds advertised;

    public SiteQuery(SiteCalls calls, AdvertisedAds advertised) {
        this.calls = calls;
        this.advertised = advertised;
    }

    private record Asked(SiteId site, ResourceRequest request, TimeSlot slot) {}

    /** Answers that are good as long as no agreement at the site changes; those of times gone by are not asked for again. */
    private final Map<Asked, List<StartInterval>> windows = new ConcurrentHashMap<>();

    /** @param at by {@link System#nanoTime} */
    private record Loaded(Optional<SiteLoad> load, long at) {}

    /** The last answer of each site, also when the caller had stopped waiting for it. */
    private final Map<SiteId, Loaded> loads = new ConcurrentHashMap<>();

    /** For when an agreement has changed. */
    public void forgetWindows(Agreement agreement) {
        var changed = agreement.commitments().stream().map(SiteCommitment::site).collect(Collectors.toSet());
        windows.keySet().removeIf(asked -> changed.contains(asked.site()));
    }

    /** Answer of a site. */
    private record Told(Optional<SiteLoad> load, List<Busy> busy, Optional<List<StartInterval>> free) {}

    public List<SiteId> sites() {
        return calls.directory().sites();
    }

    /** In the order of the configuration, within a second whatever the sites do. */
    public List<SiteSnapshot> look() throws InterruptedException {
        return look(Optional.empty(), site -> Optional.empty());
    }

    /**
     * @param ahead when quarters of the nodes are taken in this time is asked too: four more questions to each site
     * @param wish whose starts in that time are asked too
     */
    public List<SiteSnapshot> look(Optional<TimeSlot> ahead, Function<SiteId, Optional<ResourceRequest>> wish)
            throws InterruptedException {
        List<Call<Told>> questions = new ArrayList<>();
        for (var site : calls.directory().sites()) {
            questions.add(new Call<>(site, scheduler -> {
                var load = loaded(scheduler);
                var seen = ahead.flatMap(time -> seen(scheduler, time));
                return new Told(
                        load,
                        load.isPresent() && seen.isPresent() ? busy(scheduler, load.get(), seen.get()) : List.of(),
                        seen.flatMap(time -> wish.apply(site).flatMap(request -> starts(scheduler, request, time))));
            }));
        }
        var answers = calls.askAll(questions, PATIENCE);
        var ads = advertised.newestBySite();
        List<SiteSnapshot> sights = new ArrayList<>();
        for (int i = 0; i < questions.size(); i++) {
            var site = questions.get(i).site();
            sights.add(sight(site, answers.get(i), Optional.ofNullable(ads.get(site.value()))));
        }
        return sights;
    }

    /** The free windows of one site as far as it looks ahead, asked now; nothing if it does not list them. */
    public Answer<Optional<List<StartInterval>>> windows(SiteId site, ResourceRequest request, TimeSlot ahead)
            throws InterruptedException {
        return calls.askAll(List.of(new Call<>(site, scheduler -> {
                    var listing = scheduler.windowListing();
                    var seen = seen(scheduler, ahead);
                    return listing.isEmpty() || seen.isEmpty()
                            ? Optional.<List<StartInterval>>empty()
                            : Optional.of(listing.get()
                                    .freeWindows(request, seen.get())
                                    .starts());
                })))
                .get(0);
    }

    private SiteSnapshot sight(SiteId site, Answer<Told> answer, Optional<AdvertisedAds.SiteAd> ad) {
        var preview = calls.directory().get(site).previewWindow();
        return answer.fold(
                told -> new SiteSnapshot(site, preview, Optional.empty(), told.load(), ad, told.busy(), told.free()),
                problem -> {
                    var last = Optional.ofNullable(loads.get(site)).filter(one -> System.nanoTime() - one.at() < FRESH);
                    return new SiteSnapshot(
                            site,
                            preview,
                            last.isPresent() ? Optional.empty() : Optional.of(String.valueOf(problem.getMessage())),
                            last.flatMap(Loaded::load),
                            ad,
                            List.of(),
                            Optional.empty());
                });
    }

    /** As far as the site looks ahead. */
    private static Optional<TimeSlot> seen(LocalScheduler site, TimeSlot ahead) {
        Instant last = ahead.start().plus(site.previewWindow().lookAhead());
        Instant end = last.isBefore(ahead.end()) ? last : ahead.end();
        return end.isAfter(ahead.start()) ? Optional.of(new TimeSlot(ahead.start(), end)) : Optional.empty();
    }

    /** Nothing of a site that does not list its windows, cannot be asked, or refuses. */
    private Optional<List<StartInterval>> starts(LocalScheduler site, ResourceRequest request, TimeSlot ahead) {
        var listing = site.windowListing();
        var asked = new Asked(site.site(), request, ahead);
        var known = Optional.ofNullable(windows.get(asked));
        if (known.isPresent() || listing.isEmpty()) {
            return known;
        }
        if (windows.size() >= MOST_KNOWN) {
            windows.clear();
        }
        try {
            var starts = listing.get().freeWindows(request, ahead).starts();
            windows.put(asked, starts);
            return Optional.of(starts);
        } catch (LocalSchedulerException e) {
            return Optional.empty();
        }
    }

    /** A quarter is taken where so many nodes cannot start. */
    private List<Busy> busy(LocalScheduler site, SiteLoad load, TimeSlot ahead) {
        List<Busy> busy = new ArrayList<>();
        for (int quarter = 1; quarter <= 4 && load.totalNodes() > 0; quarter++) {
            var request = ResourceRequest.nodes(Math.max(1, load.totalNodes() * quarter / 4), SHORT);
            var starts = starts(site, request, ahead);
            if (starts.isEmpty()) {
                return List.of();
            }
            Instant from = ahead.start();
            for (var free : starts.get()) {
                if (free.earliest().isAfter(from.plus(SHORT))) {
                    busy.add(new Busy(quarter, new TimeSlot(from, free.earliest())));
                }
                from = free.latest().plus(SHORT);
            }
            if (from.isBefore(ahead.end())) {
                busy.add(new Busy(quarter, new TimeSlot(from, ahead.end())));
            }
        }
        return busy;
    }

    private Optional<SiteLoad> loaded(LocalScheduler site) throws LocalSchedulerException {
        try {
            var load = load(site);
            loads.put(site.site(), new Loaded(load, System.nanoTime()));
            return load;
        } catch (LocalSchedulerException e) {
            loads.remove(site.site());
            throw e;
        }
    }

    /** A site that tells no load is asked for a reservation that does not exist, to see whether it answers. */
    private static Optional<SiteLoad> load(LocalScheduler site) throws LocalSchedulerException {
        var reporting = site.loadReporting();
        if (reporting.isPresent()) {
            return Optional.of(reporting.get().load());
        }
        site.find(PROBE);
        return Optional.empty();
    }
}
