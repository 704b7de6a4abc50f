package org.metasched.classad.claim;

/** No answer from a member: the call may have had its effect, which ends with the lease in any case. */
public final class PartyUnreachableException extends Exception {

    private static final long serialVersionUID = 1L;

    /** @param message text that names the party and the call */
    public PartyUnreachableException(String message) {
        super(message);
    }
}
