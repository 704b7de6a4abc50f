package org.metasched.soap;

import java.util.List;

/** An offer that cannot be taken as it is, with everything that is wrong with it. */
final class InvalidOfferException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final ErrorCode code;
    private final List<String> complaints;

    InvalidOfferException(ErrorCode code, List<String> complaints) {
        super(String.join("\n", complaints));
        this.code = code;
        this.complaints = List.copyOf(complaints);
    }

    InvalidOfferException(String complaint) {
        this(ErrorCode.OFFER_INVALID, List.of(complaint));
    }

    ErrorCode code() {
        return code;
    }

    List<String> complaints() {
        return complaints;
    }
}
