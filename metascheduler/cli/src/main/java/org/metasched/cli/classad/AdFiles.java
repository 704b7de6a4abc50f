package org.metasched.cli.classad;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import org.metasched.classad.ClassAd;
import org.metasched.classad.ClassAdSyntaxException;
import org.metasched.classad.Dialect;
import org.metasched.classad.LookupMode;
import org.metasched.classad.ReadOptions;
import org.metasched.classad.Syntax;
import org.metasched.cli.output.ExitCodeException;

/** Reads ads from files whose written form shows in their first character. */
public final class AdFiles {

    private static final Pattern NEW_SYNTAX = Pattern.compile("\\[(?!\\s*\\{)|//|/\\*|\\{\\s*\\[");

    private AdFiles() {}

    /** The text of a file, in UTF-8 with or without its mark, or else in Latin-1; {@code -} is standard input. */
    public static String text(Path file) {
        try {
            byte[] bytes = file.toString().equals("-") ? System.in.readAllBytes() : Files.readAllBytes(file);
            String text = new String(bytes, StandardCharsets.UTF_8);
            ExitCodeException.badInputIf(
                    text.indexOf('\0') >= 0, "The file (%s) is UTF-16, or no text; UTF-8 is expected.", file);
            boolean isUtf8 = text.indexOf('\uFFFD') < 0 || Arrays.equals(text.getBytes(StandardCharsets.UTF_8), bytes);
            return isUtf8 ? text.replaceFirst("^\uFEFF", "") : new String(bytes, StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            throw ExitCodeException.badInput("The file (%s) cannot be read: %s.".formatted(file, e.getMessage()));
        }
    }

    /** The ads of a file, of any number. */
    public static List<ClassAd> all(Path file, Dialect dialect) {
        String text = text(file);
        Syntax syntax = guess(text);
        return parsed(file, text, reading(syntax, dialect));
    }

    /** The only ad of a file. */
    public static ClassAd one(Path file, Dialect dialect) {
        List<ClassAd> ads = all(file, dialect);
        ExitCodeException.badInputIf(ads.size() != 1, "The file (%s) must hold one ad; it holds %s.", file, ads.size());
        return ads.get(0);
    }

    /**
     * The ads of a text.
     *
     * @param file source of the text, for messages
     */
    public static List<ClassAd> parsed(Path file, String text, ReadOptions reading) {
        try {
            return ClassAd.parseAll(text, reading);
        } catch (ClassAdSyntaxException e) {
            String place = "line %d, column %d: ".formatted(e.line(), e.column());
            String message = String.valueOf(e.getMessage());
            throw ExitCodeException.badInput("%s:%d:%d: %s"
                    .formatted(
                            file,
                            e.line(),
                            e.column(),
                            message.startsWith(place) ? message.substring(place.length()) : message));
        }
    }

    /** How ads of a written form are read; only those of the long form look names up as old ClassAds do. */
    public static ReadOptions reading(Syntax syntax, Dialect dialect) {
        return (syntax == Syntax.OLD ? ReadOptions.OLD : ReadOptions.NEW.with(syntax))
                .with(dialect)
                .with(syntax == Syntax.OLD ? LookupMode.OLD : LookupMode.NEW);
    }

    /**
     * The written form of a text by its beginning: new syntax by <code>[</code>, <code>{[</code> or a comment, XML by {@code <}, JSON by
     * <code>{</code> or <code>[{</code>, else the long form.
     */
    public static Syntax guess(String text) {
        String start = text.stripLeading();
        if (NEW_SYNTAX.matcher(start).lookingAt()) {
            return Syntax.NEW;
        }
        if (start.startsWith("<")) {
            return Syntax.XML;
        }
        return start.startsWith("{") || start.startsWith("[") ? Syntax.JSON : Syntax.OLD;
    }
}
