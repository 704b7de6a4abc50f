package org.metasched.agreement;

/**
 * A document as it arrived, kept verbatim so that unknown extensions survive a round trip. Only the SOAP layer parses it.
 *
 * @param text the document, of at most {@value #LONGEST} characters
 */
public record OfferDocument(String text) {

    /** Length of the longest document, in characters. */
    public static final int LONGEST = 1 << 20;

    public static final OfferDocument NONE = new OfferDocument("");

    public OfferDocument {
        if (text.length() > LONGEST) {
            throw new IllegalArgumentException(
                    "The document (" + text.length() + " characters) must not be longer than " + LONGEST + ".");
        }
    }

    @Override
    public String toString() {
        return "OfferDocument[" + text.length() + " characters]";
    }
}
