package org.metasched.adapter.soap;

import java.util.UUID;
import org.apache.cxf.phase.PhaseInterceptorChain;
import org.jspecify.annotations.Nullable;
import org.metasched.adapter.DisplayText;
import org.metasched.trust.Authorizer.Call;
import org.metasched.trust.Subject;

/** Sender, operation and required texts of the message that this thread answers. */
public final class MessageContext {

    private static final Call NONE = new Call(Subject.ANONYMOUS, "", "");

    private MessageContext() {}

    /** The call; anonymous outside of a request, and where the listener asks for no proof. */
    public static Call call() {
        var message = PhaseInterceptorChain.getCurrentMessage();
        return message != null && message.get(Call.class) != null ? message.get(Call.class) : NONE;
    }

    /**
     * A text that the message must have.
     *
     * @throws IllegalArgumentException when it is missing
     */
    public static String required(String what, @Nullable String text) {
        if (text == null || text.isBlank()) {
            throw new IllegalArgumentException("The " + what + " is missing.");
        }
        return text;
    }

    /**
     * A UUID that the message must have, in upper or lower case.
     *
     * @throws IllegalArgumentException when it is missing, or no UUID
     */
    public static UUID requiredId(String what, @Nullable String text) {
        String id = required(what, text);
        try {
            return UUID.fromString(id);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("The " + what + " (" + DisplayText.of(id) + ") must be a UUID.", e);
        }
    }
}
