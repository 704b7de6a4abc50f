package org.metasched.dag.binding;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Scanner;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Looks for references in whole files, fast. */
final class ReferenceScanner {

    private static final Pattern VARIABLE = Pattern.compile("\\$ENV\\(([^():]*)");

    private ReferenceScanner() {}

    /** The names of all {@code $ENV}, also of those in comments. */
    static Set<String> variablesOf(Path file) throws IOException {
        try (Scanner text = new Scanner(file, StandardCharsets.ISO_8859_1)) {
            return text.findAll(VARIABLE)
                    .map(variable -> variable.group(1).strip())
                    .collect(Collectors.toSet());
        }
    }

    /** Whether there may be a reference in a file. Reads it once, at the speed of the disk. */
    static boolean occurIn(Path file) throws IOException {
        byte[] buffer = new byte[1 << 16];
        // The last four bytes, to be compared with $ENV and $$.
        int last = 0;
        try (InputStream in = Files.newInputStream(file)) {
            for (int read = in.read(buffer); read > 0; read = in.read(buffer)) {
                for (int i = 0; i < read; i++) {
                    byte c = buffer[i];
                    if (c == '(' && (last == 0x24454e56 || (last & 0xffff) == 0x2424)) {
                        return true;
                    }
                    last = (last << 8) | (c & 0xff);
                }
            }
        }
        return false;
    }
}
