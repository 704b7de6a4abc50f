package org.metasched.agreement;

/**
 * Key of one offer. An offer that is repeated under its key makes no second agreement.
 *
 * @param initiator the subject that was authenticated, else the initiator as the offer names it: XML, an address, or an empty text.
 *     Never parsed
 * @param id the initiator's own name for the offer, such as its message id; a random name if the initiator gave none
 */
public record OfferKey(String initiator, String id) {

    /** Length of the longest initiator and the longest id, in characters. */
    public static final int LONGEST = 512;

    public OfferKey {
        if (initiator.length() > LONGEST) {
            throw new IllegalArgumentException("The initiator's name (" + initiator.length()
                    + " characters) must not be longer than " + LONGEST + ".");
        }
        if (id.isBlank() || id.length() > LONGEST) {
            throw new IllegalArgumentException(
                    "The offer's id (" + id.length() + " characters) must be 1 to " + LONGEST + " characters.");
        }
    }
}
