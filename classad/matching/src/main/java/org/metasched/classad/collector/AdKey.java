package org.metasched.classad.collector;

import java.util.Locale;
import java.util.Optional;
import org.metasched.classad.ClassAd;
import org.metasched.classad.LookupMode;
import org.metasched.classad.Scope;
import org.metasched.classad.Value;

/** Identity of an ad: type and name, compared without case. */
public record AdKey(String type, String name) {

    /** The most characters of a type or a name. */
    static final int LONGEST = 1024;

    public AdKey {
        check("type", type);
        check("Name", name);
    }

    /** The key of an ad, from {@code Name} and {@code MyType} (or {@code Type}, as the papers write it). */
    public static AdKey of(ClassAd ad) {
        var scope = Scope.of(ad, LookupMode.OLD);
        String type = text(ad, "MyType", scope)
                .or(() -> text(ad, "Type", scope))
                .orElseThrow(() -> new IllegalArgumentException(
                        "The ad has no type: expected a string attribute MyType (or Type), found "
                                + shown(ad, ad.has("MyType") ? "MyType" : "Type", scope) + "."));
        String name = text(ad, "Name", scope)
                .orElseThrow(() ->
                        new IllegalArgumentException("The ad has no name: expected a string attribute Name, found "
                                + shown(ad, "Name", scope) + "."));
        return new AdKey(type, name);
    }

    /** The key of a type and a name; empty if one of them is not valid. */
    static Optional<AdKey> find(String type, String name) {
        try {
            return Optional.of(new AdKey(type, name));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private static Optional<String> text(ClassAd ad, String attribute, Scope scope) {
        return ad.evaluate(attribute, scope) instanceof Value.Text text ? Optional.of(text.text()) : Optional.empty();
    }

    private static String shown(ClassAd ad, String attribute, Scope scope) {
        return ad.has(attribute) ? ad.evaluate(attribute, scope).print() : "none";
    }

    private static void check(String what, String text) {
        if (text.isBlank() || text.length() > LONGEST) {
            throw new IllegalArgumentException("The ad's " + what + " must be 1 to " + LONGEST
                    + " printable characters, but has " + (text.isBlank() ? 0 : text.length()) + ".");
        }
        if (text.chars().anyMatch(Character::isISOControl)) {
            throw new IllegalArgumentException("The ad's " + what + " (" + text.replaceAll("\\p{Cc}", "?")
                    + ") must be printable characters, but has control characters.");
        }
    }

    @Override
    public boolean equals(Object other) {
        // Not equalsIgnoreCase, which finds a dotless i equal to i although their lower cases differ.
        return other instanceof AdKey key
                && lower(type).equals(lower(key.type))
                && lower(name).equals(lower(key.name));
    }

    @Override
    public int hashCode() {
        return 31 * lower(type).hashCode() + lower(name).hashCode();
    }

    /** The form in which types and names are compared. */
    static String lower(String text) {
        return text.toLowerCase(Locale.ROOT);
    }

    @Override
    public String toString() {
        return type + " " + name;
    }
}
