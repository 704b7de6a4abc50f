package org.metasched.classad.index;

import java.util.Locale;

/**
 * An attribute of an ad that is not known yet.
 *
 * @param link the label of the ad that will have it
 * @param attribute its name in lower case, or {@link #WHOLE} if the ad is used as a value
 */
public record MissingAttribute(LabelLink link, String attribute) {

    /** The ad itself is used, not one attribute of it. */
    public static final String WHOLE = "*";

    static MissingAttribute of(LabelLink link, String attribute) {
        return new MissingAttribute(link, attribute.toLowerCase(Locale.ROOT));
    }

    /** Whether the ad itself is used. */
    public boolean isWhole() {
        return attribute.equals(WHOLE);
    }

    static MissingAttribute whole(LabelLink link) {
        return new MissingAttribute(link, WHOLE);
    }
}
