package org.metasched.adapter.soap;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.metasched.adapter.LocalSchedulerException;
import org.metasched.adapter.LocalSchedulerException.Forbidden;
import org.metasched.adapter.LocalSchedulerException.Refused;
import org.metasched.adapter.LocalSchedulerException.Unreachable;
import org.metasched.adapter.LocalSchedulerException.Unreadable;
import org.metasched.wsag.site.BadRequestFault;
import org.metasched.wsag.site.MisconfiguredFault;
import org.metasched.wsag.site.ProblemType;
import org.metasched.wsag.site.RefusalType;
import org.metasched.wsag.site.RefusedFault;
import org.metasched.wsag.site.UnknownReservationFault;
import org.metasched.wsag.site.UnreachableFault;

/** Maps exceptions of a site to SOAP faults and back: by type, never by the text of a message. */
final class AdapterFaults {

    /** Longest text of a scheduler that is passed on, in characters. */
    private static final int LONGEST = 4000;

    private AdapterFaults() {}

    /** Throws a fault that the wire declares. */
    private interface Raise<T> {
        T run() throws RefusedFault, UnreachableFault, MisconfiguredFault, UnknownReservationFault;
    }

    /** Throws the fault for an exception of a site; never returns a value. */
    static <T> T raise(LocalSchedulerException problem)
            throws RefusedFault, UnreachableFault, MisconfiguredFault, UnknownReservationFault {
        String words = words(problem.getMessage());
        return problem.<Raise<T>>fold(
                        refused -> () -> {
                            if (refused.isUnanswered()) {
                                throw new UnreachableFault(words, problem(words));
                            }
                            throw new RefusedFault(words, refusal(words, refused));
                        },
                        unreachable -> () -> {
                            var detail = problem(words);
                            if (unreachable instanceof Unreadable) {
                                detail.setUnreadable(true);
                            }
                            throw new UnreachableFault(words, detail);
                        },
                        misconfigured -> () -> {
                            throw new MisconfiguredFault(words, problem(words));
                        },
                        unknown -> () -> {
                            throw new UnknownReservationFault(words, problem(words));
                        })
                .run();
    }

    private static RefusalType refusal(String words, Refused refused) {
        var detail = new RefusalType();
        detail.setMessage(words);
        refused.possibleStart().ifPresent(detail::setPossibleStart);
        if (refused instanceof Forbidden) {
            detail.setForbidden(true);
        }
        return detail;
    }

    static BadRequestFault badRequest(@Nullable String message) {
        String words = words(message);
        return new BadRequestFault(words, problem(words));
    }

    /** The fault of an internal error, after which the request may have had its effect. */
    static UnreachableFault internalError(String site) {
        String words = "The adapter of site " + site + " had an internal error, which it has logged.";
        return new UnreachableFault(words, problem(words));
    }

    static Unreachable unreachable(UnreachableFault fault) {
        var detail = fault.getFaultInfo();
        return detail != null && Boolean.TRUE.equals(detail.isUnreadable())
                ? new Unreadable(words(fault), fault)
                : new Unreachable(words(fault), fault);
    }

    static Refused refused(RefusedFault fault) {
        var detail = fault.getFaultInfo();
        var start = Optional.ofNullable(detail).map(RefusalType::getPossibleStart);
        return detail != null && Boolean.TRUE.equals(detail.isForbidden())
                ? new Forbidden(words(fault), start)
                : new Refused(words(fault), start);
    }

    /** The text of a fault, for messages. */
    static String words(Exception fault) {
        return words(fault.getMessage());
    }

    private static ProblemType problem(String words) {
        var detail = new ProblemType();
        detail.setMessage(words);
        return detail;
    }

    private static String words(@Nullable String message) {
        String text = message == null ? "no reason was given" : message;
        return XmlText.of(text.length() > LONGEST ? text.substring(0, LONGEST) + "…" : text);
    }
}
