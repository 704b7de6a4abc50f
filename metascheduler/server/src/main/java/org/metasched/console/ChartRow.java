package org.metasched.console;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.metasched.adapter.LoadReporting.SiteLoad;
import org.metasched.adapter.TimeSlot;
import org.metasched.agreement.Agreement;
import org.metasched.agreement.SiteCommitment;
import org.metasched.overview.SiteSnapshot;

/**
 * The bars of one site: each as high as its share of the nodes, at the topmost place where it fits. Placing n bars, of which k overlap at a time,
 * takes {@code O(n k)}.
 */
final class ChartRow {

    /** Height in pixels of a bar that takes all nodes of the site. */
    private static final int WHOLE = 64;
    /** Least height in pixels of the bars of a row that has many at a time. */
    private static final int THIN = 5;

    /** Least height in pixels of a bar that has a label. */
    static final int READABLE = 16;
    /** Height of a row in pixels above which its bars become thin. */
    private static final int MOST_READABLE_HEIGHT = 192;

    /** Greatest height of a row in pixels; further bars are counted, not drawn. */
    private static final int MOST_HEIGHT = 240;

    /** @param y pixels from the row's top to the bar's */
    record Bar(Agreement agreement, SiteCommitment part, int y, int height) {
        TimeSlot slot() {
            return part.reservation().slot();
        }

        private int bottom() {
            return y + height;
        }
    }

    /** The site; empty for one that is not configured any more. */
    final Optional<SiteSnapshot> site;

    final List<Bar> bars = new ArrayList<>();
    private int height;
    private int hidden;

    ChartRow(Optional<SiteSnapshot> site) {
        this.site = site;
    }

    void add(Agreement agreement, SiteCommitment part) {
        bars.add(new Bar(agreement, part, 0, 0));
    }

    /** Number of the bars that are not drawn. */
    int hidden() {
        return hidden;
    }

    int height() {
        return Math.max(2 * READABLE, height);
    }

    /** Gives each bar its place. Called once, after the last bar is added. */
    void placeBars() {
        bars.sort(Comparator.comparing((Bar b) -> b.slot().start())
                .thenComparing(b -> b.agreement().created())
                .thenComparing(b -> b.agreement().id().value()));
        var all = List.copyOf(bars);
        stack(all, READABLE);
        if (hidden > 0 || height > MOST_READABLE_HEIGHT) {
            stack(all, THIN);
        }
    }

    private void stack(List<Bar> all, int leastHeight) {
        bars.clear();
        hidden = 0;
        height = 0;
        List<Bar> open = new ArrayList<>();
        for (var bar : all) {
            Instant start = bar.slot().start();
            open.removeIf(other -> !other.slot().end().isAfter(start));
            int barHeight = Math.max(leastHeight, shareHeight(bar));
            int y = 0;
            int index = 0;
            while (index < open.size() && open.get(index).y() - y < barHeight) {
                y = open.get(index).bottom();
                index++;
            }
            if (y + barHeight > MOST_HEIGHT) {
                hidden++;
            } else {
                var placed = new Bar(bar.agreement(), bar.part(), y, barHeight);
                open.add(index, placed);
                bars.add(placed);
                height = Math.max(height, placed.bottom());
            }
        }
    }

    private int shareHeight(Bar bar) {
        int nodes = site.flatMap(SiteSnapshot::nodes).map(SiteLoad::totalNodes).orElse(0);
        return bar.part()
                .reservation()
                .granted()
                .fold(n -> nodes == 0 ? 0 : Math.min(WHOLE, WHOLE * n.count() / nodes), link -> 0, licences -> 0);
    }
}
