package org.metasched.api;

import java.time.Instant;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.metasched.adapter.DisplayText;
import org.metasched.adapter.SubjectName;
import org.metasched.agreement.Agreement;
import org.metasched.agreement.AgreementState;

/** The query parameters of a request. Every reader throws {@link IllegalArgumentException} with a sentence when a parameter is wrong. */
record QueryParameters(Function<String, @Nullable String> parameters) {

    private static final int USUAL_LIMIT = 100;
    private static final int MOST_LIMIT = 1000;

    Optional<String> text(String name) {
        try {
            return Optional.ofNullable(parameters.apply(name)).filter(value -> !value.isBlank());
        } catch (RuntimeException e) {
            throw new IllegalArgumentException("The query must be UTF-8, with two hexadecimal digits after each %.", e);
        }
    }

    /** The number of entries of a page. */
    int limit() {
        return number("limit", USUAL_LIMIT, MOST_LIMIT);
    }

    /** A number from 1 to {@code most}; {@code usual} where the parameter is missing. */
    int number(String name, int usual, int most) {
        String text = text(name).orElse(String.valueOf(usual));
        int number = text.matches("\\d{1,8}") ? Integer.parseInt(text) : 0;
        if (number < 1 || number > most) {
            throw new IllegalArgumentException(
                    "The " + name + " (" + DisplayText.of(text) + ") must be a number from 1 to " + most + ".");
        }
        return number;
    }

    Optional<Instant> time(String name) {
        return text(name).map(text -> WireValues.time(text, name));
    }

    /** The filter of a list: by site, initiator, label, a time that the slot overlaps, and the earliest time of the last change. */
    Predicate<Agreement> agreements() {
        var site = text("site");
        var initiator = text("initiator");
        var label = text("label");
        var from = time("from");
        var to = time("to");
        var since = time("modified_since");
        return agreement -> site.map(agreement::isAt).orElse(true)
                && (label.isEmpty() || label.equals(agreement.offer().label()))
                && initiator
                        .map(name ->
                                SubjectName.isSame(name, agreement.offer().key().initiator()))
                        .orElse(true)
                && agreement.overlaps(from, to)
                && since.filter(agreement.changed()::isBefore).isEmpty();
    }

    /** The states that are named, with commas between them; all if none is. */
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
}
