package org.metasched.classad.gang;

/** An ad whose ports are not what the language of gangs expects; the message says which and why. */
public final class MalformedAdException extends IllegalArgumentException {

    private static final long serialVersionUID = 1L;

    MalformedAdException(String message) {
        super(message);
    }
}
