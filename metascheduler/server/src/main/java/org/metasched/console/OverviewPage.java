package org.metasched.console;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.metasched.adapter.LoadReporting.SiteLoad;
import org.metasched.adapter.TimeSlot;
import org.metasched.agreement.Agreement;
import org.metasched.agreement.AgreementState;
import org.metasched.agreement.Commitment;

/** The first page: sites, the next two days, agreements, ads. */
final class OverviewPage {

    /** Agreements in the picture: more bars than theirs make none. */
    static final int MOST_SHOWN = 10_000;

    private final PageContext view;

    OverviewPage(PageContext view) {
        this.view = view;
    }

    /**
     * What the page shows.
     *
     * @param span of the picture
     * @param shown the time of the picture
     * @param isMoved whether it was asked to begin at a time
     * @param living agreements that hold something in the time shown, at most {@value #MOST_SHOWN}
     * @param newest in any state, the newest first
     * @param ads how many of each type the collector has
     * @param wanted whose free windows are shown
     */
    record Sight(
            TimeSpan span,
            TimeSlot shown,
            boolean isMoved,
            List<SiteSnapshot> sites,
            List<Agreement> living,
            List<Agreement> newest,
            Map<String, Long> ads,
            Optional<SlotQuery> wanted) {}

    String write(Sight sight) {
        var page = Frame.begin("Console", view);
        navigation(page);
        title(page, "Sites", sight.sites().size());
        sites(page, sight.sites());
        var shown = sight.shown();
        String span = sight.span().word();
        title(page, sight.isMoved() ? span + " from " + TimeLabels.minute(shown.start()) + " UTC" : "Next " + span, -1);
        zoom(page, sight);
        var windows = new FreeWindowsForm(view, sight);
        windows.ask(page);
        Gantt.draw(page, view, sight);
        if (sight.living().size() == MOST_SHOWN) {
            page.element(
                    "p",
                    "The picture shows the " + MOST_SHOWN
                            + " agreements that begin last in this time; choose a shorter one.",
                    "class",
                    "quiet");
        }
        windows.answer(page);
        title(page, "Newest agreements", sight.newest().size());
        agreements(page, view.home(), sight.newest());
        title(page, "Ads in the collector", -1);
        ads(page, sight.ads());
        return Frame.end(page);
    }

    private void zoom(Markup page, Sight sight) {
        var shown = sight.span();
        String wish = sight.wanted().map(SlotQuery::query).orElse("");
        page.open("nav", "aria-label", "TimeSpan of the picture", "class", "span");
        for (var span : TimeSpan.values()) {
            String address = view.home() + "?span=" + span.word().replace(' ', '+') + wish;
            page.element(
                    "a",
                    span.word(),
                    span == shown
                            ? new String[] {"href", address, "aria-current", "true"}
                            : new String[] {"href", address});
        }
        String address = view.home() + "?span=" + shown.word().replace(' ', '+') + wish + "&from=";
        var half = sight.shown().length().dividedBy(2);
        var start = sight.shown().start();
        page.element("a", "← earlier", "href", address + start.minus(half));
        page.element("a", "later →", "href", address + start.plus(half)).close();
    }

    private void navigation(Markup page) {
        page.open("nav").element("a", "All agreements", "href", view.home() + "/agreements");
        page.element("a", "When could I…?", "href", view.home() + "/when");
        page.element("a", "Refused offers", "href", view.home() + "/refused");
        page.element("a", "Ads", "href", view.home() + "/ads");
        page.element("a", "Matches and DAGs", "href", view.home() + "/matches");
        if (view.looksAfterTheServer()) {
            page.element("a", "Operations", "href", view.home() + "/operations");
        }
        page.close();
    }

    private static void title(Markup page, String text, int count) {
        page.open("h2").text(text);
        if (count >= 0) {
            page.element("span", String.valueOf(count), "class", "count");
        }
        page.close();
    }

    private void sites(Markup page, List<SiteSnapshot> sites) {
        Frame.headOf(
                page,
                "sites",
                "Site",
                "State",
                "#Free nodes",
                "In use",
                "#Running",
                "#Queued",
                "#Matches",
                "Advertised");
        for (var site : sites) {
            page.open("tr");
            page.element("th", site.site().value(), "scope", "row");
            page.open("td");
            Frame.badge(page, site.isUp() ? "up" : "silent", site.isUp() ? "good" : "bad");
            page.close();
            load(page, site);
            Frame.number(page, matches(site));
            page.element("td", site.ad().map(ad -> ago(ad.received())).orElse(Labels.NONE), "class", "quiet");
            page.close();
            site.trouble().ifPresent(why -> why(page, why));
            site.load().ifPresent(load -> load.remarks().forEach(remark -> why(page, remark)));
        }
        Frame.endOfTable(page);
    }

    private static void why(Markup page, String text) {
        page.open("tr", "class", "why").element("td", text, "colspan", "8").close();
    }

    private static void load(Markup page, SiteSnapshot site) {
        var load = site.load().filter(l -> l.totalNodes() > 0);
        Frame.number(page, Labels.orNone(load.map(l -> l.freeNodes() + " / " + l.totalNodes())));
        page.open("td");
        load.ifPresent(l -> meter(page, l));
        page.close();
        Frame.number(page, Labels.orNone(load.map(SiteLoad::runningJobs)));
        Frame.number(page, Labels.orNone(load.map(SiteLoad::queuedJobs)));
    }

    private static void meter(Markup page, SiteLoad load) {
        long free = Math.max(0, Math.min(100, 100L * load.freeNodes() / load.totalNodes()));
        page.open("span", "class", "meter", "title", (100 - free) + "% of the nodes are in use or down");
        page.element("span", "", "style", "width:" + (100 - free) + "%").close();
    }

    private static String matches(SiteSnapshot site) {
        return Labels.orNone(site.mostMatches().map(most -> Labels.orNone(site.currentMatches()) + " / " + most));
    }

    private String ago(Instant then) {
        var length = Duration.between(then, view.now());
        return length.toSeconds() < 1 ? "now" : TimeLabels.length(length) + " ago";
    }

    static void agreements(Markup page, String home, List<Agreement> agreements) {
        if (agreements.isEmpty()) {
            page.element("p", "There is none.", "class", "quiet");
            return;
        }
        Frame.headOf(page, "agreements", "Agreement", "State", "Start (UTC)", "End (UTC)", "Sites");
        for (var agreement : agreements) {
            page.open("tr");
            page.open("td").element("a", agreement.id().value(), "href", home + "/agreement/" + agreement.id());
            page.close().open("td");
            state(page, agreement.state());
            page.close();
            page.element("td", time(agreement.slot().map(s -> s.start())), "class", "time");
            page.element("td", time(agreement.slot().map(s -> s.end())), "class", "time");
            page.open("td");
            agreement.commitments().forEach(part -> part(page, part));
            agreement.reason().ifPresent(why -> page.element("span", why, "class", "reason"));
            page.close().close();
        }
        Frame.endOfTable(page);
    }

    private static void part(Markup page, Commitment part) {
        page.open("span", "class", "part").text(part.site().value() + " ");
        page.element("span", Labels.amount(part.reservation().granted()), "class", "quiet")
                .close();
    }

    private static String time(Optional<Instant> time) {
        return time.map(TimeLabels::minute).orElse(Labels.NONE);
    }

    static void state(Markup page, AgreementState state) {
        String kind = switch (state) {
            case OBSERVED -> "good";
            case PENDING -> "wait";
            case PENDING_AND_TERMINATING, OBSERVED_AND_TERMINATING -> "warn";
            case REJECTED, TERMINATED -> "bad";
            case COMPLETE -> "done";
        };
        Frame.badge(page, state.term(), kind);
    }

    private static void ads(Markup page, Map<String, Long> ads) {
        if (ads.isEmpty()) {
            page.element("p", "Nothing is advertised.", "class", "quiet");
            return;
        }
        page.open("p", "class", "ads");
        ads.forEach((type, count) -> page.open("span", "class", "ad")
                .element("b", String.valueOf(count))
                .text(" " + type)
                .close());
        page.element(
                "span",
                String.format(Locale.ROOT, "%d in all", ads.values().stream().collect(Collectors.summingLong(n -> n))),
                "class",
                "quiet");
        page.close();
    }
}
