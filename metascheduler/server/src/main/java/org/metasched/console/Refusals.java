package org.metasched.console;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.metasched.agreement.AgreementService;
import org.metasched.agreement.RefusedOffer;
import org.metasched.trust.Guard;
import org.metasched.trust.Thing;

/**
 * A page of the refused offers that a subject may see: its own, or all if it may look at all agreements.
 *
 * @param next to be passed on for the page behind it; nothing with the last one
 */
public record Refusals(List<RefusedOffer> shown, OptionalLong next) {

    /**
     * Looks on where others' offers fill a page.
     *
     * @param before {@code next} of the page before, or empty
     * @throws IllegalArgumentException when that is no number
     */
    public static Refusals seen(AgreementService service, Guard guard, Guard.Call call, String before, int most) {
        if (!before.matches("\\d{0,18}")) {
            throw new IllegalArgumentException(
                    "The place (" + before + ") after which the page begins must be a number.");
        }
        var last = before.isEmpty() ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(before));
        var looking = call.during("Agreement/GetResourceProperty");
        List<RefusedOffer> shown = new ArrayList<>();
        while (true) {
            var some = service.refused(last, most);
            for (var one : some) {
                last = OptionalLong.of(one.number());
                if (guard.shows(
                        looking, Thing.agreement(one.key().id(), one.key().initiator()))) {
                    shown.add(one);
                }
                if (shown.size() == most) {
                    return new Refusals(shown, last);
                }
            }
            if (some.size() < most) {
                return new Refusals(shown, OptionalLong.empty());
            }
        }
    }
}
