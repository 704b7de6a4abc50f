package org.metasched.console;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.metasched.adapter.DisplayText;
import org.metasched.adapter.FreeWindows.StartInterval;
import org.metasched.adapter.Need;
import org.metasched.adapter.Requester;
import org.metasched.adapter.ResourceRequest;
import org.metasched.adapter.SiteId;
import org.metasched.console.ConsoleOffers.Part;
import org.metasched.console.ConsoleOffers.SlotRequest;
import org.metasched.overview.SiteSnapshot;

/**
 * A request whose free windows the picture shows. A site that it names is asked for the nodes there; each other site for the largest part
 * that names none, whatever the requirements of that part.
 *
 * @param fields form from which it was read
 * @param person person for whom the sites are asked, if known
 */
record SlotQuery(OfferForm fields, SlotRequest request, Optional<Requester> person) {

    /** Most windows that are listed. */
    static final int MOST_WINDOWS = 8;

    private static final int MOST_LABELS = 5;
    private static final int MOST_SITES = 8;

    /** @throws IllegalArgumentException if the filled fields are invalid */
    static Optional<SlotQuery> of(OfferForm fields, Optional<Requester> person) {
        if (!fields.isFilled()) {
            return Optional.empty();
        }
        var request = fields.read();
        ResourceRequest.checkDuration(request.duration());
        return Optional.of(new SlotQuery(fields, request, person));
    }

    /** The request to a site; empty if it is not asked. */
    Optional<ResourceRequest> at(SiteId site) {
        int named = request.parts().stream()
                .filter(p -> p.site().equals(site.value()))
                .mapToInt(Part::nodes)
                .sum();
        int nodes = named > 0 ? named : largestOpenPart();
        return nodes > 0
                ? Optional.of(new ResourceRequest(new Need.Nodes(nodes), request.duration(), person))
                : Optional.empty();
    }

    /** Nodes of the largest part that names no site; 0 without one. */
    private int largestOpenPart() {
        return request.parts().stream()
                .filter(p -> p.site().isEmpty())
                .mapToInt(Part::nodes)
                .max()
                .orElse(0);
    }

    private List<String> namedSites() {
        return request.parts().stream()
                .map(Part::site)
                .filter(s -> !s.isEmpty())
                .distinct()
                .toList();
    }

    /** Number of parts that name no site, each of which needs a site of its own. */
    private long openParts() {
        return request.parts().stream().filter(p -> p.site().isEmpty()).count();
    }

    /** A site's starts that are not past, and within the requested time. */
    List<StartInterval> possible(SiteSnapshot site, Instant now) {
        Instant from = request.earliest().filter(now::isBefore).orElse(now);
        Instant to = request.deadline().map(d -> d.minus(request.duration())).orElse(Instant.MAX);
        List<StartInterval> possible = new ArrayList<>();
        for (var starts : site.free().orElse(List.of())) {
            Instant earliest = Collections.max(List.of(from, starts.earliest()));
            Instant latest = Collections.min(List.of(to, starts.latest()));
            if (!latest.isBefore(earliest)) {
                possible.add(new StartInterval(earliest, latest));
            }
        }
        return possible;
    }

    /** @param change 1 where a window of possible starts begins, -1 where it ends */
    private record Step(Instant at, int change, boolean isNamed) {}

    /** The times at which the named sites and enough of the others can start at once. {@code O(n log n)} in n windows. */
    List<StartInterval> together(List<SiteSnapshot> sites, Instant now) {
        var named = namedSites();
        long open = openParts();
        List<Step> steps = new ArrayList<>();
        for (var site : sites) {
            boolean isNamed = named.contains(site.site().value());
            for (var starts : possible(site, now)) {
                steps.add(new Step(starts.earliest(), 1, isNamed));
                steps.add(new Step(starts.latest(), -1, isNamed));
            }
        }
        // A window includes both its ends: at one time, begins come before ends.
        steps.sort(Comparator.comparing(Step::at).thenComparing(Step::change, Comparator.reverseOrder()));
        List<StartInterval> common = new ArrayList<>();
        Optional<Instant> since = Optional.empty();
        int freeNamed = 0;
        int freeOthers = 0;
        for (var step : steps) {
            freeNamed += step.isNamed() ? step.change() : 0;
            freeOthers += step.isNamed() ? 0 : step.change();
            boolean isEnough = freeNamed == named.size() && freeOthers >= open;
            if (isEnough && since.isEmpty()) {
                since = Optional.of(step.at());
            } else if (!isEnough && since.isPresent()) {
                common.add(new StartInterval(since.get(), step.at()));
                since = Optional.empty();
            }
        }
        return common;
    }

    /** The request in one line, with its sites. */
    String title() {
        List<String> where = new ArrayList<>();
        for (String site : namedSites()) {
            where.add(at(new SiteId(site)).map(r -> PageLabels.amount(r.need())).orElse("") + " at " + site);
        }
        if (openParts() > 0) {
            where.add(DisplayText.count(largestOpenPart(), "node") + " at any "
                    + DisplayText.count(openParts(), where.isEmpty() ? "site" : "other site"));
        }
        return String.join(" and ", where) + " for " + TimeLabels.length(request.duration())
                + (request.parts().size() > 1 ? " at once" : "");
    }

    /** The possible starts at a site, in words. */
    String words(List<StartInterval> possible, TimeLabels times) {
        return "start "
                + PageLabels.joined(possible.stream().map(times::interval).toList(), MOST_LABELS);
    }

    /** The request as parameters of an address; its earliest start is the first full minute of a window, or the window's begin if it has none. */
    String link(StartInterval starts) {
        var minute = starts.earliest().truncatedTo(ChronoUnit.MINUTES);
        var next = minute.equals(starts.earliest()) ? minute : minute.plus(1, ChronoUnit.MINUTES);
        var first = next.isAfter(starts.latest()) ? starts.earliest() : next;
        return PageLabels.query(OfferForm.written(
                new SlotRequest("", request.parts(), request.duration(), Optional.of(first), request.deadline())));
    }

    /** The sites without a start in the time shown, and the sites whose starts are not known, as they list none, refuse or are silent. */
    String remarks(List<SiteSnapshot> sites, Instant now) {
        return remark(
                        " No start at ",
                        sites,
                        s -> s.free().isPresent() && possible(s, now).isEmpty())
                + remark(
                        " Unknown at ",
                        sites,
                        s -> s.free().isEmpty() && at(s.site()).isPresent());
    }

    private static String remark(String words, List<SiteSnapshot> sites, Predicate<SiteSnapshot> which) {
        var names = sites.stream().filter(which).map(s -> s.site().value()).toList();
        return names.isEmpty() ? "" : words + PageLabels.joined(names, MOST_SITES) + ".";
    }
}
