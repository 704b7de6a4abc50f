package org.metasched.console;

import java.time.Duration;
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
import org.metasched.adapter.SiteId;
import org.metasched.adapter.TimeSlot;
import org.metasched.agreement.Agreement;
import org.metasched.agreement.SiteCommitment;
import org.metasched.drawing.AxisScale;
import org.metasched.drawing.SvgWriter;
import org.metasched.overview.SiteSnapshot;

/**
 * The reservations of the time to come as a picture: a row for each site, a bar for each reservation, bars that overlap below
 * one another. {@code O(n log n)} in n reservations.
 */
final class ReservationChart {

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

    /** The colours of bars, as the legend lists them. */
    static final List<String> KINDS = List.of("reserved", "active", "degraded", "finished", "cancelled");

    private final PageContext view;
    private final OverviewModel model;
    private final Instant now;
    private final TimeSlot shown;
    private final AxisScale time;
    private final Map<SiteId, Row> rows = new LinkedHashMap<>();

    private ReservationChart(PageContext view, OverviewModel model) {
        this.view = view;
        this.model = model;
        this.now = view.now();
        this.shown = model.shown();
        this.time = new AxisScale(shown.start().toEpochMilli(), shown.end().toEpochMilli(), LEFT, WIDTH);
    }

    private record Bar(Agreement agreement, SiteCommitment part) {
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
    static String svg(PageContext view, OverviewModel model) {
        var gantt = new ReservationChart(view, model);
        model.sites().forEach(site -> gantt.rows.put(site.site(), new Row(Optional.of(site))));
        for (var agreement : model.living()) {
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
        return gantt.draw();
    }

    private String draw() {
        int height = TOP + rows.values().stream().mapToInt(Row::height).sum();
        var svg = new SvgWriter(
                "viewBox",
                "0 0 " + WIDTH + " " + (height + 1),
                "class",
                "gantt",
                "role",
                "group",
                "aria-label",
                "Reservations by site, " + model.span().word() + " from " + TimeLabels.minute(shown.start()) + " UTC");
        int y = TOP;
        boolean odd = false;
        for (var row : rows.entrySet()) {
            drawBand(svg, row.getKey(), y, row.getValue().height(), odd);
            y += row.getValue().height();
            odd = !odd;
        }
        drawTime(svg, height);
        drawTexts(svg);
        return svg.end();
    }

    /** What is at a time. The script stretches it, row by row as far as they are seen, and moves the texts, which are apart. */
    private void drawTime(SvgWriter svg, int height) {
        openTimes(svg, 0, height + 1);
        model.query().ifPresent(query -> drawTogether(svg, query, height));
        for (var hour = firstHour(); hour.isBefore(shown.end()); hour = hour.plus(tick())) {
            if (!hour.isBefore(shown.start())) {
                boolean midnight = isMidnight(hour);
                svg.line(x(hour), midnight ? 2 : 20, x(hour), height, "class", midnight ? "midnight" : "hour");
            }
        }
        svg.close();
        int y = TOP;
        for (var row : rows.values()) {
            openTimes(svg, y, row.height());
            drawLoad(svg, row, y);
            drawFree(svg, row, y);
            drawBars(svg, row, y);
            svg.close();
            y += row.height();
        }
        if (isNowShown()) {
            openTimes(svg, 0, height + 1);
            svg.line(x(now), 16, x(now), height, "class", "now").close();
        }
    }

    private static void openTimes(SvgWriter svg, int y, int height) {
        int width = WIDTH - LEFT;
        String box = LEFT + " " + y + " " + width + " " + height;
        svg.open(
                "svg",
                "class",
                "times",
                "x",
                LEFT,
                "y",
                y,
                "width",
                width,
                "height",
                height,
                "viewBox",
                box,
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

    private Duration tick() {
        return model.span().tick();
    }

    private void drawTexts(SvgWriter svg) {
        for (var hour = firstHour(); hour.isBefore(shown.end()); hour = hour.plus(tick())) {
            if (isMidnight(hour)) {
                drawDay(svg, hour);
            }
            if (!hour.isBefore(shown.start()) && x(hour) < WIDTH - 30) {
                String label = tick().toDays() > 0 ? TimeLabels.dayOfMonth(hour) : TimeLabels.hour(hour);
                svg.text(x(hour) + 3, 28, label, "class", "tick moves");
            }
        }
        if (isNowShown()) {
            svg.text(x(now), 12, "now", "class", "nowlabel moves");
        }
        int y = TOP;
        for (var row : rows.values()) {
            for (int i = 0; i < row.bars.size() && row.lane() == LANE; i++) {
                drawLabel(svg, row.bars.get(i), y + PADDING / 2 + row.laneOf.get(i) * LANE);
            }
            if (row.hidden > 0) {
                svg.text(6, y + row.height() / 2 + 16, "and " + row.hidden + " more", "class", "tick");
            }
            y += row.height();
        }
    }

    private void drawLabel(SvgWriter svg, Bar bar, int y) {
        double from = x(bar.slot().start());
        String label = PageLabels.amount(bar.part().reservation().granted());
        if (x(bar.slot().end()) - from > label.length() * 5.5 + 6) {
            svg.text(from + 4, y + 11, label, "class", "in moves");
        }
    }

    private static void drawBand(SvgWriter svg, SiteId site, int y, int height, boolean odd) {
        svg.rectangle(0, y, WIDTH, height, "class", odd ? "band odd" : "band");
        String name = site.value();
        String label = name.length() > 16 ? name.substring(0, 15) + "…" : name;
        svg.open("g")
                .title(name)
                .text(6, y + height / 2 + 4, label, "class", "site")
                .close();
    }

    /** From below: each quarter of the nodes that is taken, or down. */
    private void drawLoad(SvgWriter svg, Row row, int y) {
        for (var busy : row.site.map(SiteSnapshot::busy).orElse(List.of())) {
            double from = x(busy.slot().start());
            int top = y + row.height() * (busy.quarter() - 1) / 4;
            int bottom = y + row.height() * busy.quarter() / 4;
            svg.rectangle(from, top, x(busy.slot().end()) - from, bottom - top, "class", "load");
        }
    }

    /** When what is wished could lie at the site. */
    private void drawFree(SvgWriter svg, Row row, int y) {
        if (model.query().isEmpty() || row.site.isEmpty()) {
            return;
        }
        var query = model.query().get();
        var possible = query.possible(row.site.get(), now);
        if (possible.isEmpty()) {
            return;
        }
        String site = row.site.get().site().value();
        svg.open("g", "role", "img", "aria-label", "free at " + site + ": " + query.words(possible));
        for (var starts : possible) {
            drawWindow(svg, query, starts, y + 1, row.height() - 2, "free");
        }
        svg.close();
    }

    private void drawTogether(SvgWriter svg, SlotQuery query, int height) {
        for (var starts : query.together(model.sites(), now)) {
            drawWindow(svg, query, starts, TOP, height - TOP, "free together");
        }
    }

    private void drawWindow(SvgWriter svg, SlotQuery query, StartInterval starts, int y, int height, String kind) {
        double from = x(starts.earliest());
        double width = x(starts.latest().plus(query.wish().duration())) - from;
        svg.titled("start " + TimeLabels.interval(starts), from, y, width, height, "class", kind);
    }

    /** A day's name that would stand in the word at the line of now stands behind it. */
    private void drawDay(SvgWriter svg, Instant midnight) {
        double from = x(midnight) + 3;
        from = isNowShown() && x(now) + 16 > from && x(now) - 16 < from + DAY ? x(now) + 16 : from;
        double end = x(midnight.plus(1, ChronoUnit.DAYS));
        if (end - from > DAY) {
            svg.text(from, 12, TimeLabels.day(midnight), "class", "day moves");
        }
    }

    private void drawBars(SvgWriter svg, Row row, int y) {
        for (int i = 0; i < row.bars.size(); i++) {
            int lane = row.laneOf.get(i);
            if (lane < MOST_LANES) {
                drawBar(svg, row.bars.get(i), y + PADDING / 2 + lane * row.lane(), row.lane());
            }
        }
    }

    private void drawBar(SvgWriter svg, Bar bar, int y, int lane) {
        double from = x(bar.slot().start());
        double width = Math.max(3, x(bar.slot().end()) - from);
        int height = lane - (lane == LANE ? 3 : 1);
        svg.open("a", "href", view.home() + "/agreement/" + bar.agreement().id().value());
        svg.titled(about(bar), from, y + 1, width, height, "class", "bar " + kind(bar.part()))
                .close();
    }

    /** The colour of a bar, as the legend explains it. */
    static String kind(SiteCommitment part) {
        if (part.isDegraded() && part.state().isHeld()) {
            return "degraded";
        }
        return part.state().name().toLowerCase(Locale.ROOT);
    }

    private static String about(Bar bar) {
        var part = bar.part();
        return part.site() + " " + part.reservation().id() + ": "
                + PageLabels.amount(part.reservation().granted()) + "\n"
                + TimeLabels.minute(bar.slot().start()) + " to "
                + TimeLabels.minute(bar.slot().end()) + " UTC, " + kind(part) + "\n"
                + bar.agreement().id();
    }

    /** Inside the picture, however far away the instant is. */
    private double x(Instant instant) {
        Instant inside =
                instant.isBefore(shown.start()) ? shown.start() : instant.isAfter(shown.end()) ? shown.end() : instant;
        return time.at(inside.toEpochMilli());
    }
}
