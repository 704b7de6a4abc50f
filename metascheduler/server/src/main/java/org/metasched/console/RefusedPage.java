package org.metasched.console;

import java.time.Duration;
import java.util.Optional;
import org.metasched.agreement.AgreementRequest;
import org.metasched.agreement.RefusedOffer;
import org.metasched.agreement.making.AgreementService;
import org.metasched.trust.Guard;
import org.metasched.trust.Thing;

/** Refused offers of the last days that the person may see, the newest first: what was asked for, why not, and the way to ask what could be had. */
public final class RefusedPage {

    private static final int A_PAGE = 50;

    private final PageContext view;

    RefusedPage(PageContext view) {
        this.view = view;
    }

    String write(AgreementService service, String before) {
        var seen = seen(service, view.guard(), view.call(), before, A_PAGE);
        var page = Frame.begin("Refused offers", view);
        if (seen.shown().isEmpty()) {
            page.element("p", "There is none of the last days.", "class", "quiet");
        } else {
            Frame.headOf(page, "refused", "When (UTC)", "Offer", "Asked for", "Why not", "");
            seen.shown().forEach(one -> row(page, one));
            Frame.endOfTable(page);
        }
        seen.next()
                .ifPresent(next -> page.open("p")
                        .element("a", "Older ones", "href", view.home() + "/refused?before=" + next)
                        .close());
        return Frame.end(page);
    }

    /** One of them: why it was refused, and what would come of it now, or the nearest requests that would be granted. */
    String write(RefusedOffer one, OfferApi wishes) throws InterruptedException {
        var page = Frame.begin("Refused offer " + one.key().id(), view, false);
        page.open("p").text("Refused at " + TimeLabels.minute(one.at()) + " UTC. Asked for: ");
        asked(page, one);
        page.close();
        AdviceTables.refusal(page, one.code().name(), one.reason());
        if (!one.alternatives().isEmpty()) {
            var still = one.alternatives().stream()
                    .map(asked -> new AgreementRequest(
                            asked.parts(),
                            asked.earliest().filter(view.now()::isBefore),
                            asked.deadline().filter(view.now()::isBefore),
                            asked.preference(),
                            asked.lags()))
                    .toList();
            page.element("h2", "If it were offered now");
            new AdviceTables(view, (form, request, way) -> hide(form, wishes.document(request, view.call())))
                    .write(page, wishes.ask(still, view.call()));
        }
        return Frame.end(page);
    }

    private static boolean hide(Markup page, Optional<String> document) {
        document.ifPresentOrElse(
                text -> page.empty("input", "type", "hidden", "name", "document", "value", text),
                () -> page.element("span", "metasched reserve --offer", "class", "quiet"));
        return document.isPresent();
    }

    /** The one of that number, if the person may see it. */
    Optional<RefusedOffer> find(AgreementService service, String number) {
        return seen(service, view.guard(), view.call(), String.valueOf(Long.parseLong(number) + 1), 1).shown().stream()
                .filter(one -> one.number() == Long.parseLong(number))
                .findFirst();
    }

    /**
     * @param before {@code next} of the page before, or empty
     * @throws IllegalArgumentException when that is no number
     */
    public static Page<RefusedOffer, Long> seen(
            AgreementService service, Guard guard, Guard.Call call, String before, int most) {
        if (!before.matches("\\d{0,18}")) {
            throw new IllegalArgumentException(
                    "The place (" + before + ") after which the page begins must be a number.");
        }
        var looking = call.during("Agreement/GetResourceProperty");
        return Page.of(
                Optional.of(before).filter(text -> !text.isEmpty()).map(Long::valueOf),
                most,
                Integer.MAX_VALUE,
                service::refused,
                RefusedOffer::number,
                one -> guard.shows(
                        looking, Thing.agreement(one.key().id(), one.key().initiator())));
    }

    private void row(Markup page, RefusedOffer one) {
        page.open("tr").element("th", TimeLabels.minute(one.at()), "scope", "row", "class", "time");
        page.open("td").text(one.key().id()).element("span", one.key().initiator(), "class", "reason");
        page.close().open("td");
        asked(page, one);
        page.close().open("td").element("b", one.code().name());
        page.element("span", one.reason(), "class", "reason").close().open("td");
        if (!one.alternatives().isEmpty()) {
            page.element("a", "When could I…?", "href", view.home() + "/refused/" + one.number());
        }
        page.close().close();
    }

    private static void asked(Markup page, RefusedOffer refused) {
        for (int i = 0; i < refused.alternatives().size(); i++) {
            page.text(i == 0 ? "" : " or ");
            asked(page, refused.alternatives().get(i));
        }
    }

    private static void asked(Markup page, AgreementRequest request) {
        for (var part : request.parts()) {
            String where = part.site().map(site -> site.value()).orElse("any site");
            page.open("span", "class", "part").text(where + " ");
            page.element("span", Labels.amount(part.request().need()), "class", "quiet")
                    .close();
        }
        var longest =
                request.parts().stream().map(part -> part.request().duration()).max(Duration::compareTo);
        page.element("span", "for " + longest.map(TimeLabels::length).orElse(""), "class", "quiet");
    }
}
