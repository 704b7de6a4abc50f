package org.metasched.classad.gang;

/** The error that an ad has malformed ports; the message names the ad, the port, the value and what was expected. */
public final class MalformedAdException extends IllegalArgumentException {

    private static final long serialVersionUID = 1L;

    MalformedAdException(String message) {
        super(message);
    }
}
