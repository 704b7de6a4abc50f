package org.metasched.classad.gang;

/** An ad with ports that break the language of gangs; the message says which and why. */
public final class MalformedAdException extends IllegalArgumentException {

    private static final long serialVersionUID = 1L;

    MalformedAdException(String message) {
        super(message);
    }
}
