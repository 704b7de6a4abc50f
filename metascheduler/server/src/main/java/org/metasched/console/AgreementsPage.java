package org.metasched.console;

import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.metasched.agreement.Agreement;
import org.metasched.agreement.AgreementId;
import org.metasched.agreement.AgreementService;
import org.metasched.agreement.AgreementState;

/** All agreements, page by page, the newest first; those of one state, or one by its id. */
final class AgreementsPage {

    private static final int A_PAGE = 50;

    private final String home;
    private final Instant now;

    AgreementsPage(String home, Instant now) {
        this.home = home;
        this.now = now;
    }

    /** @throws IllegalArgumentException when a parameter is none */
    String write(AgreementService service, Function<String, @Nullable String> parameters) {
        String state = text(parameters, "state");
        String id = text(parameters, "id");
        Set<AgreementState> states = state.isEmpty()
                ? EnumSet.allOf(AgreementState.class)
                : EnumSet.of(AgreementState.named(state)
                        .orElseThrow(() -> new IllegalArgumentException("There is no state (" + state + ").")));
        var after = Optional.of(text(parameters, "after"))
                .filter(last -> !last.isEmpty())
                .map(AgreementId::new);
        List<Agreement> shown = id.isEmpty()
                ? service.newest(states, after, A_PAGE)
                : service.find(new AgreementId(id)).stream().toList();
        var page = begin(state, id);
        OverviewPage.agreements(page, home, shown);
        if (id.isEmpty() && shown.size() == A_PAGE) {
            String last = shown.get(A_PAGE - 1).id().value();
            page.open("p")
                    .element("a", "Older ones", "href", home + "/agreements?state=" + state + "&after=" + last)
                    .close();
        }
        return Frame.end(page);
    }

    String refused(String why) {
        return Frame.end(begin("", "").element("p", why, "class", "reason"));
    }

    private static String text(Function<String, @Nullable String> parameters, String name) {
        return Optional.ofNullable(parameters.apply(name)).orElse("").strip();
    }

    private Markup begin(String state, String id) {
        var page = Frame.begin("Agreements", home, now);
        page.open("form", "action", home + "/agreements", "class", "filter");
        page.open("label").text("State ").open("select", "name", "state").element("option", "", "value", "");
        for (var one : AgreementState.values()) {
            page.element(
                    "option",
                    one.term(),
                    one.term().equals(state) ? new String[] {"selected", "selected"} : new String[0]);
        }
        page.close().close();
        page.open("label")
                .text("Id ")
                .empty("input", "name", "id", "value", id, "maxlength", "64")
                .close();
        page.element("button", "Show").close();
        return page;
    }
}
