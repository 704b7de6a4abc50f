package org.metasched.console;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.metasched.agreement.Agreement;
import org.metasched.agreement.AgreementId;
import org.metasched.agreement.AgreementState;
import org.metasched.agreement.making.AgreementService;

/** All agreements, page by page, the newest first; those of one state, or one by its id. */
final class AgreementsPage {

    private static final int A_PAGE = 50;
    private static final int MOST_LOOKS = 10;

    private final PageContext view;

    AgreementsPage(PageContext view) {
        this.view = view;
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
        var seen = id.isEmpty()
                ? seen(service, view, states, after, A_PAGE)
                : new Page<Agreement, AgreementId>(
                        service.find(new AgreementId(id)).stream()
                                .filter(view::sees)
                                .toList(),
                        Optional.empty());
        var page = begin(state, id);
        OverviewPage.agreements(page, view.home(), seen.shown());
        seen.next()
                .ifPresent(last -> page.open("p")
                        .element(
                                "a",
                                "Older ones",
                                "href",
                                view.home() + "/agreements?state=" + state + "&after=" + last)
                        .close());
        return Frame.end(page);
    }

    /** The newest that the person may see; of very many agreements of others only the newest are looked through. */
    static Page<Agreement, AgreementId> seen(
            AgreementService service,
            PageContext view,
            Set<AgreementState> states,
            Optional<AgreementId> after,
            int most) {
        return Page.of(
                after, most, MOST_LOOKS, (last, n) -> service.newest(states, last, n), Agreement::id, view::sees);
    }

    /** A parameter of a form; empty if it is not there. */
    static String text(Function<String, @Nullable String> parameters, String name) {
        return Optional.ofNullable(parameters.apply(name)).orElse("").strip();
    }

    private Markup begin(String state, String id) {
        var page = Frame.begin("Agreements", view);
        page.open("form", "action", view.home() + "/agreements", "class", "filter");
        var states =
                Arrays.stream(AgreementState.values()).map(AgreementState::term).toList();
        Frame.choice(page, "State", "state", "", states, state);
        page.open("label")
                .text("Id ")
                .empty("input", "name", "id", "value", id, "maxlength", "64")
                .close();
        page.element("button", "Show").close();
        return page;
    }
}
