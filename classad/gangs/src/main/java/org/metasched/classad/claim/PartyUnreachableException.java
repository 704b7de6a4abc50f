package org.metasched.classad.claim;

/** No answer from a member: what was asked may have happened. Its lease ends it in any case. */
public final class PartyUnreachableException extends Exception {

    private static final long serialVersionUID = 1L;

    /** @param message names the party and what was asked of it */
    public PartyUnreachableException(String message) {
        super(message);
    }
}
