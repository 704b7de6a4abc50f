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

/** The bars of one site: each as high as its share of the nodes, at the first height where it fits. {@code O(n k)} in n bars, k at one time. */
final class ChartRow {

    /** A bar that takes all nodes of the site. */
    private static final int WHOLE = 64;
    /** Low enough for many bars, and high enough for a text. */
    private static final int THIN = 5;

    static final int READABLE = 16;
    private static final int MOST_READABLE = 192;
    /** Further bars are counted, not drawn. */
    private static final int MOST = 240;

    /** @param y of its top, below that of the row */
    record Bar(Agreement agreement, SiteCommitment part, int y, int height) {
        TimeSlot slot() {
            return part.reservation().slot();
        }

        private int bottom() {
            return y + height;
        }
    }

    private final Optional<SiteSnapshot> site;
    private final List<Bar> bars = new ArrayList<>();
    private int height;
    private int hidden;

    ChartRow(Optional<SiteSnapshot> site) {
        this.site = site;
    }

    void add(Agreement agreement, SiteCommitment part) {
        bars.add(new Bar(agreement, part, 0, 0));
    }

    Optional<SiteSnapshot> site() {
        return site;
    }

    List<Bar> bars() {
        return bars;
    }

    int hidden() {
        return hidden;
    }

    int height() {
        return Math.max(2 * READABLE, height);
    }

    void place() {
        bars.sort(Comparator.comparing((Bar b) -> b.slot().start())
                .thenComparing(b -> b.agreement().created())
                .thenComparing(b -> b.agreement().id().value()));
        var all = List.copyOf(bars);
        stack(all, READABLE);
        if (hidden > 0 || height > MOST_READABLE) {
            stack(all, THIN);
        }
    }

    private void stack(List<Bar> all, int least) {
        bars.clear();
        hidden = 0;
        height = 0;
        List<Bar> open = new ArrayList<>();
        for (var bar : all) {
            Instant start = bar.slot().start();
            open.removeIf(other -> !other.slot().end().isAfter(start));
            int high = Math.max(least, share(bar));
            int y = 0;
            int place = 0;
            while (place < open.size() && open.get(place).y() - y < high) {
                y = open.get(place).bottom();
                place++;
            }
            if (y + high > MOST) {
                hidden++;
            } else {
                var placed = new Bar(bar.agreement(), bar.part(), y, high);
                open.add(place, placed);
                bars.add(placed);
                height = Math.max(height, placed.bottom());
            }
        }
    }

    private int share(Bar bar) {
        int nodes = site.flatMap(SiteSnapshot::nodes).map(SiteLoad::totalNodes).orElse(0);
        return bar.part()
                .reservation()
                .granted()
                .fold(need -> nodes == 0 ? 0 : Math.min(WHOLE, WHOLE * need.count() / nodes), link -> 0, licences -> 0);
    }
}
