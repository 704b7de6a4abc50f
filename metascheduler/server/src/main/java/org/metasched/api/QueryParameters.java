package org.metasched.api;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.metasched.agreement.AgreementState;
import org.metasched.trust.Subject;

/** What is asked beside the path. Every reader throws {@link IllegalArgumentException} with a sentence when it is wrong. */
record QueryParameters(Function<String, @Nullable String> parameters, Subject speaker) {

    private static final int USUAL = 100;
    private static final int MOST = 1000;

    Optional<String> text(String name) {
        return Optional.ofNullable(parameters.apply(name)).filter(value -> !value.isBlank());
    }

    /** Elements of a page. */
    int limit() {
        return text("limit").map(QueryParameters::checked).orElse(USUAL);
    }

    /** All if none is named; several with commas between them. */
    Set<AgreementState> states() {
        return text("state")
                .map(names -> Arrays.stream(names.split(",", -1))
                        .map(name -> AgreementState.named(name)
                                .orElseThrow(() -> new IllegalArgumentException("The state (" + name
                                        + ") must be one of "
                                        + Arrays.stream(AgreementState.values())
                                                .map(AgreementState::term)
                                                .toList() + ".")))
                        .collect(Collectors.toSet()))
                .orElseGet(() -> EnumSet.allOf(AgreementState.class));
    }

    private static int checked(String text) {
        int limit = text.matches("\\d{1,4}") ? Integer.parseInt(text) : 0;
        if (limit < 1 || limit > MOST) {
            throw new IllegalArgumentException("The limit (" + text + ") must be a number from 1 to " + MOST + ".");
        }
        return limit;
    }
}
