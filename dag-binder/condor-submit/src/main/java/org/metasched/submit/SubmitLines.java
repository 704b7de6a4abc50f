package org.metasched.submit;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The lines of a submit description or a configuration file of HTCondor, trimmed. A trailing backslash joins a line to the next one. A
 * comment line within a continuation is left out; without a trailing backslash of its own, it ends the continuation.
 */
public final class SubmitLines {

    private static final int MOST_BYTES = 512 << 20;

    private final String text;
    /** The name of the file. */
    final String file;

    private final int limit;
    private int position;
    private int line;

    /** @param limit the maximum number of characters of a line */
    public SubmitLines(String text, String file, int limit) {
        this.text = text;
        this.file = file;
        this.limit = limit;
    }

    /**
     * The text of a file. A file that is not UTF-8 is read as Latin-1: condor accepts any bytes in a value, and an odd
     * comment is no reason to refuse a file.
     */
    public static String read(Path file) throws IOException {
        if (Files.isDirectory(file)) {
            throw new IOException("The file (" + file + ") is a directory.");
        }
        byte[] bytes;
        try (InputStream in = Files.newInputStream(file)) {
            bytes = in.readNBytes(MOST_BYTES + 1);
        }
        if (bytes.length > MOST_BYTES) {
            throw new IOException("The file (" + file + ") is larger than 512 MiB.");
        }
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException e) {
            return new String(bytes, StandardCharsets.ISO_8859_1);
        }
    }

    /** The number, from 1, of the last line that was read. */
    public int line() {
        return line;
    }

    /** The number of characters that have been read. */
    int position() {
        return position;
    }

    /** The next line with its continuations, or null at the end. */
    @Nullable
    public String next() throws SubmitException {
        String first = physicalLine();
        if (first == null || first.startsWith("#") || !first.endsWith("\\")) {
            return first;
        }
        StringBuilder whole = new StringBuilder();
        String part = first;
        while (part != null && part.endsWith("\\")) {
            if (whole.length() == 0 || !part.startsWith("#")) {
                whole.append(part, 0, part.length() - 1);
            }
            if (whole.length() > limit) {
                throw tooLong();
            }
            part = physicalLine();
        }
        if (part != null && !part.startsWith("#")) {
            whole.append(part);
        }
        return whole.toString().stripTrailing();
    }

    private @Nullable String physicalLine() throws SubmitException {
        if (position == text.length()) {
            return null;
        }
        line++;
        int newline = text.indexOf('\n', position);
        int end = newline < 0 ? text.length() : newline;
        if (end - position > limit) {
            throw tooLong();
        }
        String raw = text.substring(position, end);
        if (raw.indexOf('\0') >= 0) {
            throw error("There is a NUL byte in the line.\nMaybe the file is UTF-16, or no text; UTF-8 is expected.");
        }
        position = newline < 0 ? end : newline + 1;
        return raw.strip();
    }

    private SubmitException tooLong() {
        return error("The line is longer than " + limit + " characters.");
    }

    /** An error on the line that was read last. */
    SubmitException error(String reason) {
        return new SubmitException(file, line, reason);
    }
}
