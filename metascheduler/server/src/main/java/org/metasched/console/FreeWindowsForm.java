package org.metasched.console;

import java.time.temporal.ChronoUnit;
import java.util.List;
import org.metasched.adapter.FreeWindows.StartInterval;
import org.metasched.adapter.SiteId;
import org.metasched.console.OverviewPage.Sight;

/** Asks for the wish whose free windows the picture shows, and says in words what the picture shows. */
record FreeWindowsForm(PageContext view, Sight sight) {

    private static final int MOST = 8;

    void ask(Markup page) {
        var fields =
                sight.wanted().map(SlotQuery::fields).orElse(new OfferForm(name -> name.equals("hours") ? "1" : ""));
        page.open("form", "action", view.home(), "class", "filter", "aria-label", "Free windows");
        OfferForm.hidden(page, "span", sight.span().word());
        if (sight.isMoved()) {
            OfferForm.hidden(page, "from", sight.shown().start().toString());
        }
        var sites = sight.sites().stream()
                .map(SiteSnapshot::site)
                .map(SiteId::value)
                .toList();
        number(page, "Nodes", "nodes1", fields);
        Frame.choice(page, "Site", "site1", "each", sites, fields.text("site1"));
        number(page, "Hours", "hours", fields);
        number(page, "Minutes", "minutes", fields);
        number(page, "Sites at once", SlotQuery.AT_ONCE, fields);
        for (String name : SlotQuery.NAMES) {
            if (!List.of("nodes1", "site1", "hours", "minutes", SlotQuery.AT_ONCE)
                            .contains(name)
                    && !fields.text(name).isEmpty()) {
                OfferForm.hidden(page, name, fields.text(name));
            }
        }
        page.element("button", "Show free windows");
        if (sight.wanted().isPresent()) {
            page.element(
                    "a",
                    "Hide them",
                    "href",
                    view.home() + "?span=" + sight.span().word().replace(' ', '+'));
        }
        page.close();
    }

    private static void number(Markup page, String label, String name, OfferForm fields) {
        page.open("label").text(label + " ");
        page.empty("input", "type", "number", "name", name, "value", fields.text(name), "min", "0");
        page.close();
    }

    /** The windows in which all could start at once, each with the way to ask for it. */
    void answer(Markup page) {
        if (sight.wanted().isEmpty()) {
            return;
        }
        var wanted = sight.wanted().get();
        var together = wanted.together(sight.sites(), view.now());
        page.open("p", "class", "windows").element("b", wanted.title(sight.sites()));
        page.text(together.isEmpty() ? ": never in the time shown." : ": start ");
        for (int i = 0; i < together.size() && i < MOST; i++) {
            page.text(i == 0 ? "" : ", ");
            window(page, wanted, together.get(i));
        }
        page.text(
                together.size() > MOST
                        ? ", and " + (together.size() - MOST) + " more."
                        : together.isEmpty() ? "" : ".");
        sites(
                page,
                " Never at ",
                sight.sites().stream()
                        .filter(s -> s.free().isPresent()
                                && wanted.possible(s, view.now()).isEmpty())
                        .toList());
        sites(
                page,
                " Not told by ",
                sight.sites().stream()
                        .filter(s -> s.free().isEmpty() && wanted.at(s.site()).isPresent())
                        .toList());
        page.close();
    }

    private static void sites(Markup page, String words, List<SiteSnapshot> sites) {
        if (!sites.isEmpty()) {
            page.text(words
                    + Labels.joined(sites.stream().map(s -> s.site().value()).toList(), MOST) + ".");
        }
    }

    private void window(Markup page, SlotQuery wanted, StartInterval starts) {
        var minute = starts.earliest().truncatedTo(ChronoUnit.MINUTES);
        var first = minute.equals(starts.earliest()) ? minute : minute.plus(1, ChronoUnit.MINUTES);
        var wish = wanted.from(first, sight.sites());
        if (wish.isPresent()) {
            String query = SlotQuery.query(OfferForm.written(wish.get()));
            page.element("a", TimeLabels.interval(starts), "href", view.home() + "/when?" + query.substring(1));
        } else {
            page.text(TimeLabels.interval(starts));
        }
    }
}
