package org.metasched.agreement;

import java.security.SecureRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import org.metasched.adapter.DisplayText;

/** The name of an agreement at its server: a letter or digit, then up to 63 of these, '.', '_' and '-'; fit for a URL and a file name. */
public record AgreementId(String value) {

    private static final Pattern FORM = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");
    private static final String RANDOM_PREFIX = "ag-";
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final String ALPHABET = "23456789abcdefghijkmnpqrstuvwxyz";
    private static final AtomicInteger LAST = new AtomicInteger(RANDOM.nextInt());

    public AgreementId {
        if (!FORM.matcher(value).matches()) {
            throw new IllegalArgumentException("The agreement id (" + DisplayText.of(value)
                    + ") must be 1 to 64 letters, digits, '.', '_' or '-', beginning with a letter or digit.");
        }
    }

    /** Whether it is {@linkplain #random random}. Agreements for grids above and for claims have other ids, by which those know them. */
    public boolean isRandom() {
        return value.startsWith(RANDOM_PREFIX);
    }

    /** Whether a text has the form of an id. */
    public static boolean isForm(String text) {
        return FORM.matcher(text).matches();
    }

    /**
     * A random id: a running number of 20 bits, then 80 random bits against guessing. By the number, agreements made together are
     * neighbours in an index.
     */
    public static AgreementId random() {
        var text = new StringBuilder(RANDOM_PREFIX);
        int number = LAST.incrementAndGet();
        for (int i = 0; i < 20; i++) {
            // A character has 5 bits; the first four have the number.
            text.append(ALPHABET.charAt(i < 4 ? number >> 5 * (3 - i) & 31 : RANDOM.nextInt(ALPHABET.length())));
        }
        return new AgreementId(text.toString());
    }

    @Override
    public String toString() {
        return value;
    }
}
