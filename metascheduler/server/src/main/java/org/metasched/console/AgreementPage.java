package org.metasched.console;

import java.util.List;
import java.util.Locale;
import org.metasched.agreement.Agreement;
import org.metasched.agreement.AgreementEvent;
import org.metasched.agreement.Commitment;
import org.metasched.agreement.GuaranteeState;

/** One agreement: its parts at the sites, its guarantees, what it cost to find. */
final class AgreementPage {

    private final PageContext view;

    AgreementPage(PageContext view) {
        this.view = view;
    }

    String write(Agreement agreement, List<AgreementEvent> history) {
        var page = Frame.begin("Agreement " + agreement.id(), view);
        page.open("p", "class", "lead");
        OverviewPage.state(page, agreement.state());
        agreement.reason().ifPresent(why -> page.element("span", why, "class", "reason"));
        page.close();
        facts(page, agreement);
        page.element("h2", "Reservations");
        parts(page, agreement.commitments());
        programs(page, agreement.commitments());
        guarantees(page, agreement);
        history(page, history);
        ending(page, agreement);
        return Frame.end(page);
    }

    private void ending(Markup page, Agreement agreement) {
        if (view.mayEnd(agreement)) {
            var asked = agreement.offer().alternatives();
            OfferForm.like(asked.get(0), view.now())
                    .filter(w -> asked.size() == 1)
                    .ifPresent(wish -> {
                        page.open("details").element("summary", "Renegotiate: more nodes, or longer…");
                        view.form(page, "/agreement/" + agreement.id() + "/renegotiate");
                        page.element("span", "A new agreement is made beside this one, which ends only then.");
                        OfferForm.show(page, wish);
                        page.element("button", "Renegotiate").close().close();
                    });
            page.open("details", "class", "bad").element("summary", "Terminate this agreement…");
            view.form(page, "/agreement/" + agreement.id() + "/terminate");
            page.element("span", "Its reservations are given back, and running jobs end. This cannot be undone.");
            page.element("button", "Terminate", "class", "bad").close().close();
        }
    }

    private static void facts(Markup page, Agreement agreement) {
        page.open("dl");
        agreement.slot().ifPresent(slot -> {
            Frame.fact(page, "Start", TimeLabels.second(slot.start()) + " UTC");
            Frame.fact(page, "End", TimeLabels.second(slot.end()) + " UTC");
            Frame.fact(page, "Length", TimeLabels.length(slot.length()));
        });
        String initiator = agreement.offer().key().initiator();
        Frame.fact(page, "Initiator", initiator.isEmpty() ? "nobody known" : initiator);
        Frame.fact(page, "Offer", agreement.offer().key().id());
        Frame.fact(page, "Offered", TimeLabels.second(agreement.created()) + " UTC");
        Frame.fact(page, "Last change of state", TimeLabels.second(agreement.changed()) + " UTC");
        var effort = agreement.effort();
        Frame.fact(
                page,
                "Negotiation",
                Labels.counted(effort.rounds(), "round") + ", " + Labels.counted(effort.calls(), "call") + ", "
                        + Labels.counted(effort.attempts(), "attempt") + ", "
                        + effort.took().toMillis() + " ms");
        page.close();
    }

    private static void parts(Markup page, List<Commitment> parts) {
        if (parts.isEmpty()) {
            page.element("p", "Nothing was reserved.", "class", "quiet");
            return;
        }
        Frame.head(page, "Term", "Site", "Reservation", "State", "#Granted", "Start (UTC)", "End (UTC)", "Nodes");
        for (var part : parts) {
            var reservation = part.reservation();
            page.open("tr");
            page.element("th", part.term(), "scope", "row");
            page.element("td", part.site().value());
            page.open("td").element("code", reservation.id().value()).close();
            page.open("td").element("i", "", "class", "key " + Gantt.kind(part));
            page.text(Gantt.kind(part)).close();
            Frame.number(page, Labels.amount(reservation.granted()));
            page.element("td", TimeLabels.second(reservation.slot().start()), "class", "time");
            page.element("td", TimeLabels.second(reservation.slot().end()), "class", "time");
            page.open("td");
            nodes(page, part);
            page.close().close();
        }
        Frame.endOfTable(page);
    }

    private static void programs(Markup page, List<Commitment> parts) {
        var withOne = parts.stream().filter(part -> part.run().isPresent()).toList();
        if (withOne.isEmpty()) {
            return;
        }
        page.element("h2", "Programs");
        Frame.head(page, "Term", "Site", "State", "Job", "#Exit code", "Output at the site");
        for (var part : withOne) {
            var job = part.run().orElseThrow().status();
            page.open("tr")
                    .element("th", part.term(), "scope", "row")
                    .element("td", part.site().value());
            page.open("td").text(job.state().name().toLowerCase(Locale.ROOT));
            page.element("span", job.detail(), "class", "reason").close();
            page.open("td").element("code", job.id()).close();
            Frame.number(page, Labels.orNone(job.exitCode()));
            page.open("td").element("code", job.output()).close().close();
        }
        Frame.endOfTable(page);
    }

    private static void nodes(Markup page, Commitment part) {
        var names = part.reservation().nodeNames();
        if (names.isEmpty()) {
            page.element("span", Labels.NONE, "class", "quiet");
            return;
        }
        page.open("div", "class", "nodes")
                .element("code", String.join(" ", names))
                .close();
        if (part.isDegraded()) {
            page.element("span", "down: " + String.join(" ", part.lostNodes()), "class", "reason");
        }
    }

    private static void history(Markup page, List<AgreementEvent> history) {
        page.element("h2", "Time line");
        Frame.head(page, "When (UTC)", "What", "");
        for (var event : history) {
            page.open("tr").element("td", TimeLabels.second(event.at()), "class", "time");
            page.element("td", event.kind().name().toLowerCase(Locale.ROOT), "class", "quiet");
            page.element("td", event.what()).close();
        }
        Frame.endOfTable(page);
    }

    private static void guarantees(Markup page, Agreement agreement) {
        if (agreement.guarantees().isEmpty()) {
            return;
        }
        page.element("h2", "Guarantees");
        Frame.head(page, "Guarantee", "State");
        agreement.guarantees().forEach((name, state) -> {
            page.open("tr").element("th", name, "scope", "row").open("td");
            Frame.badge(page, state.term(), kind(state));
            page.close().close();
        });
        Frame.endOfTable(page);
    }

    private static String kind(GuaranteeState state) {
        return switch (state) {
            case FULFILLED -> "good";
            case VIOLATED -> "bad";
            case NOT_DETERMINED -> "wait";
        };
    }
}
