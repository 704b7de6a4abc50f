package org.metasched.console;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.metasched.adapter.FreeWindows.StartInterval;
import org.metasched.adapter.ReservationState;
import org.metasched.adapter.SiteId;
import org.metasched.adapter.TimeSlot;
import org.metasched.agreement.Agreement;
import org.metasched.agreement.Commitment;
import org.metasched.console.OverviewPage.Sight;

/**
 * The reservations of the time to come as a picture: a row for each site, a bar for each reservation, bars that overlap below
 * one another. {@code O(n log n)} in n reservations.
 */
final class Gantt {

    /** In the units of the picture, which is scaled to the width of the page. */
    private static final int LEFT = 120;

    private static final int WIDTH = 1000;
    private static final int TOP = 34;
    private static final int LANE = 16;
    private static final int PADDING = 8;
    /** Bars of one site below one another; further ones are counted, not drawn. */
    private static final int MOST_LANES = 48;
    /** More than so many lanes are drawn thinner. */
    private static final int WIDE_LANES = 12;

    private static final int THIN_LANE = 5;
    /** Wide enough for a day's name. */
    private static final int DAY = 60;

    private final PageContext view;
    private final Sight sight;
    private final Instant now;
    private final TimeSpan span;
    private final TimeSlot shown;
    private final long begin;
    private final double unitsOfMilli;
    private final Map<SiteId, Row> rows = new LinkedHashMap<>();

    private Gantt(PageContext view, Sight sight) {
        this.view = view;
        this.sight = sight;
        this.now = view.now();
        this.span = sight.span();
        this.shown = sight.shown();
        this.begin = shown.start().toEpochMilli();
        this.unitsOfMilli = (WIDTH - LEFT) / (double) shown.length().toMillis();
    }

    private record Bar(Agreement agreement, Commitment part) {
        TimeSlot slot() {
            return part.reservation().slot();
        }
    }

    /** The bars of one site, and when each of its lanes is free again. */
    private static final class Row {
        private final List<Bar> bars = new ArrayList<>();
        private final List<Integer> laneOf = new ArrayList<>();
        private final List<Instant> freeFrom = new ArrayList<>();
        private final Optional<SiteSnapshot> site;
        private int hidden;

        Row(Optional<SiteSnapshot> site) {
            this.site = site;
        }

        void place() {
            bars.sort(Comparator.comparing((Bar b) -> b.slot().start())
                    .thenComparing(b -> b.agreement().created())
                    .thenComparing(b -> b.agreement().id().value()));
            for (var bar : bars) {
                laneOf.add(lane(bar.slot()));
            }
        }

        private int lane(TimeSlot slot) {
            for (int i = 0; i < freeFrom.size(); i++) {
                if (!freeFrom.get(i).isAfter(slot.start())) {
                    freeFrom.set(i, slot.end());
                    return i;
                }
            }
            if (freeFrom.size() == MOST_LANES) {
                hidden++;
                return MOST_LANES;
            }
            freeFrom.add(slot.end());
            return freeFrom.size() - 1;
        }

        int lane() {
            return freeFrom.size() > WIDE_LANES ? THIN_LANE : LANE;
        }

        int height() {
            return Math.max(2, freeFrom.size()) * lane() + PADDING;
        }
    }

    /** Each site has a row, whether anything is reserved there or not. */
    static void draw(Markup page, PageContext view, Sight sight) {
        var gantt = new Gantt(view, sight);
        sight.sites().forEach(site -> gantt.rows.put(site.site(), new Row(Optional.of(site))));
        for (var agreement : sight.living()) {
            for (var part : agreement.commitments()) {
                if (part.reservation().slot().overlaps(gantt.shown)) {
                    gantt.rows
                            .computeIfAbsent(part.site(), s -> new Row(Optional.empty()))
                            .bars
                            .add(new Bar(agreement, part));
                }
            }
        }
        gantt.rows.values().forEach(Row::place);
        gantt.draw(page);
    }

    private void draw(Markup page) {
        int height = TOP + rows.values().stream().mapToInt(Row::height).sum();
        page.open("figure");
        page.open(
                "svg",
                "xmlns",
                "http://www.w3.org/2000/svg",
                "viewBox",
                "0 0 " + WIDTH + " " + (height + 1),
                "class",
                "gantt",
                "role",
                "group",
                "aria-label",
                "Reservations by site, " + span.word() + " from " + TimeLabels.minute(shown.start()) + " UTC");
        int y = TOP;
        boolean odd = false;
        for (var row : rows.entrySet()) {
            drawBand(page, row.getKey(), y, row.getValue().height(), odd);
            y += row.getValue().height();
            odd = !odd;
        }
        drawTime(page, height);
        drawTexts(page);
        page.close();
        drawLegend(page);
        page.close();
    }

    /** What is at a time. The script stretches it, row by row as far as they are seen, and moves the texts, which are apart. */
    private void drawTime(Markup page, int height) {
        openTimes(page, 0, height + 1);
        sight.wanted().ifPresent(wanted -> drawTogether(page, wanted, height));
        for (var hour = firstHour(); hour.isBefore(shown.end()); hour = hour.plus(span.tick())) {
            if (!hour.isBefore(shown.start())) {
                line(page, x(hour), isMidnight(hour) ? 2 : 20, height, isMidnight(hour) ? "midnight" : "hour");
            }
        }
        page.close();
        int y = TOP;
        for (var row : rows.values()) {
            openTimes(page, y, row.height());
            drawLoad(page, row, y);
            drawFree(page, row, y);
            drawBars(page, row, y);
            page.close();
            y += row.height();
        }
        if (isNowShown()) {
            openTimes(page, 0, height + 1);
            line(page, x(now), 16, height, "now");
            page.close();
        }
    }

    private static void openTimes(Markup page, int y, int height) {
        page.open(
                "svg",
                "class",
                "times",
                "x",
                String.valueOf(LEFT),
                "y",
                String.valueOf(y),
                "width",
                String.valueOf(WIDTH - LEFT),
                "height",
                String.valueOf(height),
                "viewBox",
                LEFT + " " + y + " " + (WIDTH - LEFT) + " " + height,
                "preserveAspectRatio",
                "none");
    }

    private boolean isNowShown() {
        return !now.isBefore(shown.start()) && now.isBefore(shown.end());
    }

    private Instant firstHour() {
        return shown.start().truncatedTo(ChronoUnit.DAYS);
    }

    private static boolean isMidnight(Instant hour) {
        return hour.equals(hour.truncatedTo(ChronoUnit.DAYS));
    }

    private void drawTexts(Markup page) {
        for (var hour = firstHour(); hour.isBefore(shown.end()); hour = hour.plus(span.tick())) {
            if (isMidnight(hour)) {
                drawDay(page, hour);
            }
            if (!hour.isBefore(shown.start()) && x(hour) < WIDTH - 30) {
                String label = span.tick().toDays() > 0 ? TimeLabels.dayOfMonth(hour) : TimeLabels.hour(hour);
                page.element("text", label, "x", number(x(hour) + 3), "y", "28", "class", "tick moves");
            }
        }
        if (isNowShown()) {
            page.element("text", "now", "x", number(x(now)), "y", "12", "class", "nowlabel moves");
        }
        int y = TOP;
        for (var row : rows.values()) {
            for (int i = 0; i < row.bars.size() && row.lane() == LANE; i++) {
                drawLabel(page, row.bars.get(i), y + PADDING / 2 + row.laneOf.get(i) * LANE);
            }
            if (row.hidden > 0) {
                String below = String.valueOf(y + row.height() / 2 + 16);
                page.element("text", "and " + row.hidden + " more", "x", "6", "y", below, "class", "tick");
            }
            y += row.height();
        }
    }

    private void drawLabel(Markup page, Bar bar, int y) {
        double from = x(bar.slot().start());
        String label = Labels.amount(bar.part().reservation().granted());
        if (x(bar.slot().end()) - from > label.length() * 5.5 + 6) {
            page.element("text", label, "x", number(from + 4), "y", number(y + 11), "class", "in moves");
        }
    }

    private static void drawBand(Markup page, SiteId site, int y, int height, boolean odd) {
        page.empty("rect", at(0, y, WIDTH, height, odd ? "band odd" : "band"));
        String name = site.value();
        String label = name.length() > 16 ? name.substring(0, 15) + "…" : name;
        page.open("text", "x", "6", "y", String.valueOf(y + height / 2 + 4), "class", "site");
        page.element("title", name).text(label).close();
    }

    /** From below: each quarter of the nodes that is taken, or down. */
    private void drawLoad(Markup page, Row row, int y) {
        for (var busy : row.site.map(SiteSnapshot::busy).orElse(List.of())) {
            double from = x(busy.slot().start());
            int top = y + row.height() * (busy.quarter() - 1) / 4;
            page.empty(
                    "rect",
                    at(from, top, x(busy.slot().end()) - from, y + row.height() * busy.quarter() / 4 - top, "load"));
        }
    }

    /** When what is wished could lie at the site. */
    private void drawFree(Markup page, Row row, int y) {
        if (sight.wanted().isEmpty() || row.site.isEmpty()) {
            return;
        }
        var wanted = sight.wanted().get();
        var possible = wanted.possible(row.site.get(), now);
        if (possible.isEmpty()) {
            return;
        }
        String site = row.site.get().site().value();
        page.open("g", "role", "img", "aria-label", "free at " + site + ": " + wanted.words(possible));
        for (var starts : possible) {
            drawWindow(page, wanted, starts, y + 1, row.height() - 2, "free");
        }
        page.close();
    }

    private void drawTogether(Markup page, SlotQuery wanted, int height) {
        for (var starts : wanted.together(sight.sites(), now)) {
            drawWindow(page, wanted, starts, TOP, height - TOP, "free together");
        }
    }

    private void drawWindow(Markup page, SlotQuery wanted, StartInterval starts, int y, int height, String kind) {
        double from = x(starts.earliest());
        double width = x(starts.latest().plus(wanted.wish().duration())) - from;
        page.open("rect", at(from, y, width, height, kind))
                .element("title", "start " + TimeLabels.interval(starts))
                .close();
    }

    /** A day's name that would stand in the word at the line of now stands behind it. */
    private void drawDay(Markup page, Instant midnight) {
        double from = x(midnight) + 3;
        from = isNowShown() && x(now) + 16 > from && x(now) - 16 < from + DAY ? x(now) + 16 : from;
        double end = x(midnight.plus(1, ChronoUnit.DAYS));
        if (end - from > DAY) {
            page.element("text", TimeLabels.day(midnight), "x", number(from), "y", "12", "class", "day moves");
        }
    }

    private void drawBars(Markup page, Row row, int y) {
        for (int i = 0; i < row.bars.size(); i++) {
            int lane = row.laneOf.get(i);
            if (lane < MOST_LANES) {
                drawBar(page, row.bars.get(i), y + PADDING / 2 + lane * row.lane(), row.lane());
            }
        }
    }

    private void drawBar(Markup page, Bar bar, int y, int lane) {
        double from = x(bar.slot().start());
        double width = Math.max(3, x(bar.slot().end()) - from);
        var part = bar.part();
        page.open(
                "a", "href", view.home() + "/agreement/" + bar.agreement().id().value());
        page.open("rect", at(from, y + 1, width, lane - (lane == LANE ? 3 : 1), "bar " + kind(part)));
        page.element("title", about(bar)).close().close();
    }

    /** The colour of a bar, as the legend explains it. */
    static String kind(Commitment part) {
        if (part.isDegraded() && part.state().isHeld()) {
            return "degraded";
        }
        return part.state().name().toLowerCase(Locale.ROOT);
    }

    private static String about(Bar bar) {
        var part = bar.part();
        return part.site() + " " + part.reservation().id() + ": "
                + Labels.amount(part.reservation().granted()) + "\n"
                + TimeLabels.minute(bar.slot().start()) + " to "
                + TimeLabels.minute(bar.slot().end()) + " UTC, " + kind(part) + "\n"
                + bar.agreement().id();
    }

    private void drawLegend(Markup page) {
        page.open("figcaption", "class", "legend");
        for (var kind : List.of(
                ReservationState.RESERVED.name(),
                ReservationState.ACTIVE.name(),
                "DEGRADED",
                ReservationState.FINISHED.name(),
                ReservationState.CANCELLED.name())) {
            String name = kind.toLowerCase(Locale.ROOT);
            page.open("span");
            page.element("i", "", "class", "key " + name).text(name).close();
        }
        page.open("span")
                .element("i", "", "class", "key loadkey")
                .text("nodes taken")
                .close();
        if (sight.wanted().isPresent()) {
            page.open("span").element("i", "", "class", "key freekey").text("free for the wish");
            page.close()
                    .open("span")
                    .element("i", "", "class", "key togetherkey")
                    .text("free at once");
            page.close();
        }
        page.open("span").element("i", "", "class", "key nowkey").text("now").close();
        page.element("span", "times in UTC", "class", "quiet");
        page.close();
    }

    private static void line(Markup page, double x, int from, int to, String kind) {
        page.empty(
                "line",
                "x1",
                number(x),
                "x2",
                number(x),
                "y1",
                String.valueOf(from),
                "y2",
                String.valueOf(to),
                "class",
                kind);
    }

    private static String[] at(double x, int y, double width, int height, String kind) {
        return new String[] {
            "x", number(x),
            "y", String.valueOf(y),
            "width", number(width),
            "height", String.valueOf(height),
            "class", kind
        };
    }

    /** Inside the picture, however far away the instant is. */
    private double x(Instant instant) {
        Instant inside =
                instant.isBefore(shown.start()) ? shown.start() : instant.isAfter(shown.end()) ? shown.end() : instant;
        return LEFT + (inside.toEpochMilli() - begin) * unitsOfMilli;
    }

    private static String number(double value) {
        long tenths = Math.round(value * 10);
        return tenths / 10 + "." + tenths % 10;
    }
}
