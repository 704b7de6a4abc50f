package org.metasched.console;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.metasched.adapter.SiteId;

/**
 * The sites of a page: one that the person chose, or {@value #MOST} of all. Only these are asked.
 *
 * @param all sites that the server knows
 * @param chosen name of the only site that is shown; empty for a page of all
 */
record SitePage(List<SiteId> all, String chosen, List<SiteId> shown) {

    private static final int MOST = 100;

    /** @param after name of the last site of the page before; empty for the first page */
    static SitePage of(List<SiteId> all, String chosen, String after) {
        int first = all.stream().map(SiteId::value).toList().indexOf(after) + 1;
        return new SitePage(
                all,
                chosen,
                chosen.isEmpty()
                        ? all.stream().skip(first).limit(MOST).toList()
                        : all.stream()
                                .filter(site -> site.value().equals(chosen))
                                .toList());
    }

    boolean hasNext() {
        return chosen.isEmpty()
                && !shown.isEmpty()
                && !last().equals(all.get(all.size() - 1).value());
    }

    /** The name of the last site of the page, after which the next page begins. */
    String last() {
        return shown.get(shown.size() - 1).value();
    }

    List<String> names() {
        return all.stream().map(SiteId::value).toList();
    }

    /** The sites whose agreements the page leaves out. Those that the server does not know any more stand on each page of all. */
    Set<SiteId> others() {
        Set<SiteId> others = new HashSet<>(all);
        shown.forEach(others::remove);
        return others;
    }
}
