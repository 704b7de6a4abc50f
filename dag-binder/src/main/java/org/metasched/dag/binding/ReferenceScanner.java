package org.metasched.dag.binding;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/** Looks for references in files of any size, part by part. */
final class ReferenceScanner {

    private static final int CHUNK = 1 << 20;
    /** A variable of the environment has at most 128 KiB with its value on Linux. */
    private static final int LONGEST_NAME = 1 << 17;

    private static final Pattern VARIABLE = Pattern.compile("\\$ENV(?=\\(([^():]{0," + LONGEST_NAME + "}+)[():])");

    private ReferenceScanner() {}

    /** The names of all {@code $ENV}, also of those in comments. */
    static Set<String> variablesOf(Path file) throws IOException {
        var names = new HashSet<String>();
        boolean unused = isAny(file, text -> {
            VARIABLE.matcher(text)
                    .results()
                    .forEach(found -> names.add(found.group(1).strip()));
            return false;
        });
        return names;
    }

    /** Whether there may be a reference in a file. Reads it once, at the speed of the disk. */
    static boolean occurIn(Path file) throws IOException {
        return isAny(file, text -> text.contains("$ENV(") || text.contains("$$("));
    }

    /**
     * Whether a part of a file meets a condition. Parts overlap by the longest reference, so none is cut in all parts that have some of it.
     */
    private static boolean isAny(Path file, Predicate<String> condition) throws IOException {
        String text = "";
        try (InputStream in = Files.newInputStream(file)) {
            for (byte[] read = in.readNBytes(CHUNK); read.length > 0; read = in.readNBytes(CHUNK)) {
                text = text.substring(Math.max(0, text.length() - LONGEST_NAME - "$ENV()".length()))
                        + new String(read, StandardCharsets.ISO_8859_1);
                if (condition.test(text)) {
                    return true;
                }
            }
        }
        return false;
    }
}
