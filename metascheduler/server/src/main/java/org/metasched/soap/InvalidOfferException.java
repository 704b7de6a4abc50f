package org.metasched.soap;

import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;

/** An offer that cannot be taken as it is, with all its errors. */
final class InvalidOfferException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    final ErrorCode code;
    final transient List<String> complaints;

    InvalidOfferException(ErrorCode code, List<String> complaints) {
        super(String.join("\n", complaints));
        this.code = code;
        this.complaints = List.copyOf(complaints);
    }

    InvalidOfferException(String complaint) {
        this(ErrorCode.OFFER_INVALID, List.of(complaint));
    }

    /** Makes a value of an offer. An {@link IllegalArgumentException} of the value becomes a complaint about the offer. */
    static <T> T checking(Supplier<T> maker) {
        try {
            return maker.get();
        } catch (IllegalArgumentException e) {
            throw new InvalidOfferException(Objects.requireNonNullElse(e.getMessage(), "The offer is not valid."));
        }
    }
}
