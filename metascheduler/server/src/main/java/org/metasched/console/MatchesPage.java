package org.metasched.console;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.metasched.console.Matches.Dag;
import org.metasched.console.Matches.Match;

/** The matches that are held, each to be given back, and the bound DAG of one: how far it is, and the way to another site. */
final class MatchesPage {

    private final PageContext view;

    MatchesPage(PageContext view) {
        this.view = view;
    }

    /** All for those who look after the server, for others their own: with the id of a match its holder gives it back. */
    static List<Match> seen(Matches matches, PageContext view) {
        var subject = view.call().subject();
        return matches.held().stream()
                .filter(match -> view.looksAfterTheServer()
                        || subject.isKnown() && match.owner().equals(subject.name()))
                .toList();
    }

    String write(List<Match> matches) {
        var page = Frame.begin("Matches and DAGs", view, false);
        if (matches.isEmpty()) {
            page.element("p", "No match is held.", "class", "quiet");
            return Frame.end(page);
        }
        Frame.head(page, "Site", "Holder", "Owner", "State", "Taken (UTC)", "");
        for (var match : matches) {
            page.open("tr").element("th", match.site(), "scope", "row");
            page.open("td").element("a", match.holder(), "href", view.home() + "/matches/" + match.id());
            page.close().element("td", match.owner());
            page.element("td", match.confirmed() ? "kept" : "taken");
            page.element("td", TimeLabels.second(match.taken()), "class", "time")
                    .open("td");
            release(page, match);
            page.close().close();
        }
        Frame.endOfTable(page);
        return Frame.end(page);
    }

    private void release(Markup page, Match match) {
        view.form(page, "/matches/" + match.id() + "/release");
        page.element("button", "Release", "class", "bad", "aria-label", "Release the match of " + match.site());
        page.close();
    }

    String write(Match match, Optional<Dag> dag) {
        var page = Frame.begin("Match of " + match.site(), view, true);
        page.open("dl");
        Frame.fact(page, "Holder", match.holder());
        Frame.fact(page, "Owner", match.owner());
        Frame.fact(
                page,
                "State",
                match.confirmed()
                        ? "kept"
                        : "waits for its holder until " + TimeLabels.second(match.leaseEnd()) + " UTC");
        Frame.fact(page, "Taken", TimeLabels.second(match.taken()) + " UTC");
        Frame.fact(page, "Counts for", match.matches() + " of the site's matches");
        Frame.fact(page, "Match", match.id());
        page.close();
        dag.ifPresent(seen -> dag(page, match, seen));
        if (dag.isEmpty() && match.holder().startsWith("/")) {
            String directory = "'" + match.holder().replace("'", "'\\''") + "'";
            page.element("h2", "DAG")
                    .open("p")
                    .text("This server does not look into the directory. Its owner sees how far the DAG is by ");
            page.element("code", "metasched dag status " + directory).text(", and binds it to another site by ");
            page.element("code", "metasched dag rebind " + directory).text(".").close();
        }
        page.open("details", "class", "bad").element("summary", "Release this match…");
        page.element("p", "The site gives it to the next DAG; this one stays bound there, and counts no more.");
        release(page, match);
        return Frame.end(page.close());
    }

    private void dag(Markup page, Match match, Dag dag) {
        page.element("h2", "DAG").open("p", "class", "lead");
        String kind = switch (dag.word()) {
            case "finished" -> "good";
            case "running" -> "wait";
            case "bound" -> "done";
            default -> "warn";
        };
        Frame.badge(page, dag.word(), kind);
        String states = dag.states().entrySet().stream()
                .map(state -> state.getValue() + " " + state.getKey())
                .collect(Collectors.joining(", "));
        String text = dag.nodes() + " nodes" + (states.isEmpty() ? "" : ": " + states);
        page.element("span", text, "class", "reason").close();
        dag.expectedEnd()
                .ifPresent(
                        end -> page.element("p", "May end at " + TimeLabels.minute(end) + " UTC, at the pace so far."));
        dag.svg().ifPresent(svg -> {
            String data = Base64.getEncoder().encodeToString(svg.getBytes(StandardCharsets.UTF_8));
            page.open("figure", "class", "dag", "tabindex", "0", "role", "group", "aria-label", "Picture of the DAG");
            page.empty("img", "src", "data:image/svg+xml;base64," + data, "alt", text)
                    .close();
        });
        view.form(page, "/matches/" + match.id() + "/rebind");
        page.element("button", "Bind to another site").close();
    }
}
