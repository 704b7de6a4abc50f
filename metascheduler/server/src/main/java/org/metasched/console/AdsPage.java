package org.metasched.console;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Ads of the collector, by type and constraint, each to be opened. */
final class AdsPage {

    private static final int MOST = 200;

    private final PageContext view;

    AdsPage(PageContext view) {
        this.view = view;
    }

    /** @throws IllegalArgumentException when the constraint is no expression */
    String write(Advertised advertised, Function<String, @Nullable String> parameters) {
        String type = AgreementsPage.text(parameters, "type");
        String constraint = AgreementsPage.text(parameters, "constraint");
        var found = advertised.find(type, constraint, MOST + 1);
        var page = begin(advertised, type, constraint);
        if (found.isEmpty()) {
            page.element("p", "There is none.", "class", "quiet");
            return Frame.end(page);
        }
        Frame.head(page, "Type", "Ad", "Received (UTC)", "Dropped (UTC)");
        found.stream().limit(MOST).forEach(ad -> {
            page.open("tr").element("th", ad.type(), "scope", "row").open("td").open("details");
            page.element("summary", ad.name())
                    .element("pre", ad.text(), "tabindex", "0")
                    .close()
                    .close();
            page.element("td", TimeLabels.second(ad.received()), "class", "time");
            page.element("td", TimeLabels.second(ad.expires()), "class", "time").close();
        });
        Frame.endOfTable(page);
        if (found.size() > MOST) {
            page.element("p", "Only the first " + MOST + " are shown; a constraint leaves fewer.", "class", "quiet");
        }
        return Frame.end(page);
    }

    private Markup begin(Advertised advertised, String type, String constraint) {
        var page = Frame.begin("Ads", view, false);
        page.open("form", "action", view.home() + "/ads", "class", "filter");
        Frame.choice(page, "Type", "type", "", advertised.countByType().keySet(), type);
        page.open("label")
                .text("Constraint ")
                .empty("input", "name", "constraint", "value", constraint, "maxlength", "2000", "size", "40")
                .close();
        page.element("button", "Show").close();
        return page;
    }
}
