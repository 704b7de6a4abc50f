package org.metasched.console;

import java.util.List;

/** The matches that are held, each to be given back. */
final class MatchesPage {

    private final View view;

    MatchesPage(View view) {
        this.view = view;
    }

    String write(List<Matches.Match> matches) {
        var page = Frame.begin("Matches", view, false);
        if (matches.isEmpty()) {
            page.element("p", "No match is held.", "class", "quiet");
            return Frame.end(page);
        }
        Frame.head(page, "Site", "Holder", "State", "Taken (UTC)", "Match", "");
        for (var match : matches) {
            page.open("tr").element("th", match.site(), "scope", "row");
            page.open("td").element("span", match.holder(), "class", "reason").close();
            page.element("td", match.confirmed() ? "kept" : "taken");
            page.element("td", Times.second(match.taken()), "class", "time");
            page.open("td").element("code", match.id()).close().open("td");
            view.form(page, "/matches/" + match.id() + "/release");
            page.element("button", "Release", "class", "bad", "aria-label", "Release the match of " + match.site());
            page.close().close().close();
        }
        Frame.endOfTable(page);
        return Frame.end(page);
    }
}
