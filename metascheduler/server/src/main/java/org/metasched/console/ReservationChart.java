package org.metasched.console;

import java.time.Instant;
import java.time.LocalDate;
import java.time.ZonedDateTime;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.metasched.adapter.FreeWindows.StartInterval;
import org.metasched.adapter.SiteId;
import org.metasched.adapter.TimeSlot;
import org.metasched.drawing.AxisScale;
import org.metasched.drawing.SvgWriter;
import org.metasched.overview.SiteSnapshot;

/**
 * The reservations of a time as a picture: a row for each site, a bar for each reservation. Heights are in pixels. Times are in thousandths of
 * the width, which the page stretches. {@code O(n log n)} in n reservations.
 */
final class ReservationChart {

    private static final int WIDTH = 1000;
    private static final int SCALE_HEIGHT = 34;
    private static final int PADDING = 8;
    /** Width of a day's name. */
    private static final int DAY_WIDTH = 60;
    /** The width of a character in a bar. */
    private static final double LETTER_WIDTH = 5.2;

    private static final int COLOURS = 8;

    /** The states of bars, as the legend lists them. */
    static final List<String> KINDS = List.of("reserved", "running", "degraded", "done");

    private final PageContext view;
    private final PictureModel model;
    private final TimeLabels times;
    private final Instant now;
    private final TimeSlot shown;
    private final AxisScale scale;
    private final Map<SiteId, ChartRow> rows = new LinkedHashMap<>();

    private ReservationChart(PageContext view, PictureModel model) {
        this.view = view;
        this.model = model;
        this.times = view.times();
        this.now = view.now();
        this.shown = model.shown();
        this.scale = new AxisScale(shown.start().toEpochMilli(), shown.end().toEpochMilli(), 0, WIDTH);
    }

    /** Each site has a row, whether anything is reserved there or not. */
    static ReservationChart of(PageContext view, PictureModel model) {
        var chart = new ReservationChart(view, model);
        model.sites().forEach(site -> chart.rows.put(site.site(), new ChartRow(Optional.of(site))));
        var others = model.page().others();
        for (var agreement : model.living()) {
            for (var part : agreement.commitments()) {
                if (part.reservation().slot().overlaps(chart.shown) && !others.contains(part.site())) {
                    chart.rows
                            .computeIfAbsent(part.site(), s -> new ChartRow(Optional.empty()))
                            .add(agreement, part);
                }
            }
        }
        chart.rows.values().forEach(ChartRow::placeBars);
        return chart;
    }

    /** The heights of the rows, by their sites. */
    Map<SiteId, Integer> heights() {
        Map<SiteId, Integer> heights = new LinkedHashMap<>();
        rows.forEach((site, row) -> heights.put(site, outerHeight(row)));
        return heights;
    }

    String svg() {
        int height = SCALE_HEIGHT
                + rows.values().stream().mapToInt(ReservationChart::outerHeight).sum();
        String label = "Reservations by site, " + model.span().word() + " from " + times.both(shown.start());
        var svg = new SvgWriter(
                "width", "100%", "height", height + 1, "class", "gantt", "role", "group", "aria-label", label);
        svg.open("defs")
                .open("pattern", "id", "hatch", "width", 7, "height", 7, "patternUnits", "userSpaceOnUse")
                .line(0, 7, 7, 0, "class", "hatch")
                .close()
                .close();
        eachRow((row, y) -> svg.rectangle(0, y, 0, outerHeight(row), "class", "band"));
        drawTime(svg, height);
        drawTexts(svg, height);
        return svg.end();
    }

    private static int outerHeight(ChartRow row) {
        return row.height() + PADDING;
    }

    private void eachRow(BiConsumer<ChartRow, Integer> work) {
        int y = SCALE_HEIGHT;
        for (var row : rows.values()) {
            work.accept(row, y);
            y += outerHeight(row);
        }
    }

    /** Draws the time scale and the rows, each in an element of its own, as the script of the page stretches only those that are seen. */
    private void drawTime(SvgWriter svg, int height) {
        openTimes(svg, 0, height + 1);
        model.query().ifPresent(query -> drawTogether(svg, query, height));
        eachTick((tick, midnight) -> {
            double x = x(tick.toInstant());
            svg.line(x, midnight ? 2 : 20, x, height, "class", midnight ? "midnight" : "hour");
        });
        svg.close();
        eachRow((row, y) -> {
            openTimes(svg, y, outerHeight(row));
            row.site.ifPresent(site -> {
                drawLoad(svg, site, y, outerHeight(row));
                drawUnseen(svg, site, y, outerHeight(row));
                model.query().ifPresent(query -> drawFree(svg, query, site, y, outerHeight(row)));
            });
            row.bars.forEach(bar -> drawBar(svg, bar, y));
            svg.close();
        });
        if (isNowShown()) {
            openTimes(svg, 0, height + 1);
            svg.line(x(now), 16, x(now), height, "class", "now").close();
        }
    }

    private static void openTimes(SvgWriter svg, int y, int height) {
        String box = "0 " + y + " " + WIDTH + " " + height;
        svg.open("svg", "class", "times", "y", y, "height", height, "viewBox", box, "preserveAspectRatio", "none");
    }

    private boolean isNowShown() {
        return !now.isBefore(shown.start()) && now.isBefore(shown.end());
    }

    /** Calls the work for each tick by the clock of the reader, with whether a day begins there. */
    private void eachTick(BiConsumer<ZonedDateTime, Boolean> work) {
        var tick = tick(0);
        for (int i = 1; tick.toInstant().isBefore(shown.end()); tick = tick(i++)) {
            if (!tick.toInstant().isBefore(shown.start())) {
                work.accept(tick, tick.toInstant().equals(begin(tick.toLocalDate())));
            }
        }
    }

    private ZonedDateTime tick(int number) {
        var day = firstDay();
        var step = model.span().tick();
        var after = step.multipliedBy(number);
        // Hours are those of the reader's clock, so that a day of 23 or 25 hours has the ticks of any other. All are
        // counted from the first midnight: a clock that leaves out the time of one tick leaves the others as they are.
        return step.toHours() > 0
                ? day.atStartOfDay().plus(after).atZone(times.zone())
                : begin(day).plus(after).atZone(times.zone());
    }

    private LocalDate firstDay() {
        return shown.start().atZone(times.zone()).toLocalDate();
    }

    /** The begin of a day by the clock of the reader, which may leave out the midnight. */
    private Instant begin(LocalDate day) {
        return day.atStartOfDay(times.zone()).toInstant();
    }

    /** Draws the texts apart from what is stretched, so that the script moves them and their letters keep their shape. */
    private void drawTexts(SvgWriter svg, int height) {
        svg.open("svg", "class", "texts", "height", height + 1);
        drawDays(svg);
        eachTick((tick, midnight) -> {
            boolean isDay = model.span().tick().toDays() > 0;
            Instant at = tick.toInstant();
            String kind = "tick moves" + (isDay && tick.getDayOfMonth() % 2 == 0 ? " even" : "");
            text(svg, x(at) + 3, 28, isDay ? times.dayOfMonth(at) : times.hour(at), kind);
        });
        if (isNowShown()) {
            text(svg, x(now), 12, "now", "nowlabel moves");
        }
        eachRow((row, y) -> {
            row.bars.forEach(bar -> drawLabel(svg, bar, y + PADDING / 2 + bar.y()));
            if (row.hidden() > 0) {
                svg.text(6, y + outerHeight(row) - 4, "and " + row.hidden() + " more", "class", "tick");
            }
        });
        svg.close();
    }

    private static void text(SvgWriter svg, double x, int y, String text, String kind) {
        svg.text(Math.round(x * 10) / 100.0 + "%", y, text, "class", kind);
    }

    /** Draws the names of days; a name that would cover the word {@code now} stands behind it. */
    private void drawDays(SvgWriter svg) {
        for (var day = firstDay(); begin(day).isBefore(shown.end()); day = day.plusDays(1)) {
            double from = x(begin(day)) + 3;
            from = isNowShown() && x(now) + 16 > from && x(now) - 16 < from + DAY_WIDTH ? x(now) + 16 : from;
            if (x(begin(day.plusDays(1))) - from > DAY_WIDTH) {
                text(svg, from, 12, times.day(begin(day)), "day moves");
            }
        }
    }

    /** Draws owner and amount, or the owner alone, or nothing, as the bar has room. */
    private void drawLabel(SvgWriter svg, ChartRow.Bar bar, int y) {
        double from = x(bar.slot().start());
        double room = (x(bar.slot().end()) - from - 6) / LETTER_WIDTH;
        String owner = PageLabels.owner(bar.agreement());
        String both = owner + " · " + PageLabels.amount(bar.part().reservation().granted());
        String label = both.length() < room ? both : owner;
        if (bar.height() >= ChartRow.READABLE && label.length() < room) {
            text(svg, from + 4, y + bar.height() / 2 + 3, label, "in moves " + colour(bar));
        }
    }

    /** Draws the quarters of the nodes that are taken or down, from the bottom of the row. */
    private void drawLoad(SvgWriter svg, SiteSnapshot site, int y, int height) {
        for (var busy : site.busy()) {
            double from = x(busy.slot().start());
            int top = y + height * (busy.quarter() - 1) / 4;
            int bottom = y + height * busy.quarter() / 4;
            svg.rectangle(from, top, x(busy.slot().end()) - from, bottom - top, "class", "load");
        }
    }

    /** Draws the time beyond the look-ahead of the site, of which the site cannot say what is free. */
    private void drawUnseen(SvgWriter svg, SiteSnapshot site, int y, int height) {
        Instant last = site.preview().endFrom(now);
        if (last.isBefore(shown.end())) {
            String why = site.site() + " takes no reservations yet from " + times.both(last) + " on";
            svg.titled(why, x(last), y, WIDTH - x(last), height, "class", "unseen", "fill", "url(#hatch)");
        }
    }

    /** Draws the times in which the request could run at the site. */
    private void drawFree(SvgWriter svg, SlotQuery query, SiteSnapshot site, int y, int height) {
        var possible = query.possible(site, now);
        if (!possible.isEmpty()) {
            String words = query.words(possible, times);
            svg.open("g", "role", "img", "aria-label", "free at " + site.site() + ": " + words);
            possible.forEach(starts -> drawWindow(svg, query, starts, y + 1, height - 2, "free"));
            svg.close();
        }
    }

    private void drawTogether(SvgWriter svg, SlotQuery query, int height) {
        for (var starts : query.together(model.sites(), now)) {
            drawWindow(svg, query, starts, SCALE_HEIGHT, height - SCALE_HEIGHT, "free together");
        }
    }

    private void drawWindow(SvgWriter svg, SlotQuery query, StartInterval starts, int y, int height, String kind) {
        double from = x(starts.earliest());
        double width = x(starts.latest().plus(query.request().duration())) - from;
        svg.titled("start " + times.interval(starts), from, y, width, height, "class", kind);
    }

    private void drawBar(SvgWriter svg, ChartRow.Bar bar, int y) {
        double from = x(bar.slot().start());
        double width = Math.max(3, x(bar.slot().end()) - from);
        int gap = bar.height() < ChartRow.READABLE ? 1 : 2;
        svg.open("a", "href", view.home() + "/agreement/" + bar.agreement().id().value());
        svg.titled(
                        about(bar),
                        from,
                        y + PADDING / 2 + bar.y() + 1,
                        width,
                        bar.height() - gap,
                        "class",
                        "bar " + PageLabels.word(bar.part()) + " " + colour(bar))
                .close();
    }

    /** The colour of a bar: one for all parts of an agreement. */
    private static String colour(ChartRow.Bar bar) {
        return "c" + Math.floorMod(bar.agreement().id().value().hashCode(), COLOURS);
    }

    private String about(ChartRow.Bar bar) {
        var part = bar.part();
        var parts = bar.agreement().commitments();
        return part.site() + ": " + PageLabels.amount(part.reservation().granted()) + ", "
                + PageLabels.owner(bar.agreement()) + "\n"
                + times.both(bar.slot().start()) + " to "
                + times.both(bar.slot().end()) + ", " + PageLabels.word(part)
                + "\n"
                + (parts.size() > 1 ? "one of " + parts.size() + " parts of " : "")
                + bar.agreement().id();
    }

    /** The place of an instant on the time scale; an instant outside the picture stands at its edge. */
    private double x(Instant instant) {
        Instant inside =
                instant.isBefore(shown.start()) ? shown.start() : instant.isAfter(shown.end()) ? shown.end() : instant;
        return scale.at(inside.toEpochMilli());
    }
}
