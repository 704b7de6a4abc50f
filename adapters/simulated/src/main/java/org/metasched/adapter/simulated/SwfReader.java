package org.metasched.adapter.simulated;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;
import org.metasched.adapter.DisplayText;
import org.metasched.adapter.Need;

/**
 * Reads one trace line by line. Some archives write fractions, and some simulators append columns of their own; both are accepted, and
 * fractions are cut off. Bounded: lines of 64 KiB, ten million jobs, 2 GiB unpacked.
 */
final class SwfReader {

    private static final int LONGEST_LINE = 1 << 16;
    private static final long MOST_BYTES = 2L << 30;
    private static final int MOST_JOBS = 10_000_000;
    private static final int FIELDS = 18;
    /** No number of a trace, as it is below the least. */
    private static final long NOT_PLAIN = Long.MIN_VALUE;

    /** The field of the run time, from 0; converters of logs write differences of two times there, which may be negative. */
    private static final int RUN_TIME = 3;

    /** The mark of UTF-8 that some editors put before a text, as Latin-1. */
    private static final String UTF_8_MARK = "\u00EF\u00BB\u00BF";

    /** The greatest number of a field. */
    private static final long MOST = 1L << 40;

    private static final Pattern NUMBER = Pattern.compile("[-+]?(\\d+(\\.\\d*)?|\\.\\d+)([eE][-+]?\\d{1,3})?");

    private final String file;
    private final Map<String, List<String>> header = new LinkedHashMap<>();
    private final List<SwfTrace.Job> jobs = new ArrayList<>();
    private final long[] values = new long[FIELDS];
    private long lineNumber;

    private SwfReader(String file) {
        this.file = file;
    }

    static SwfTrace read(Path file) throws IOException, SwfFormatException {
        var reader = new SwfReader(file.toString());
        try (var in = unpacked(new BufferedInputStream(Files.newInputStream(file)))) {
            reader.readAll(in);
            if (reader.jobs.isEmpty()) {
                throw reader.broken(1, "the trace has no jobs");
            }
        } catch (ZipException | EOFException e) {
            throw new SwfFormatException(
                    file.toString(), reader.lineNumber + 1, 1, "the gzip data is broken: " + e.getMessage());
        }
        return new SwfTrace(file.toString(), reader.header, reader.jobs);
    }

    private static InputStream unpacked(BufferedInputStream in) throws IOException {
        in.mark(2);
        boolean packed = in.read() == 0x1f && in.read() == 0x8b;
        in.reset();
        return packed ? new BufferedInputStream(new GZIPInputStream(in, 1 << 16)) : in;
    }

    private void readAll(InputStream in) throws IOException, SwfFormatException {
        var line = new byte[LONGEST_LINE];
        var chunk = new byte[LONGEST_LINE];
        int length = 0;
        long bytes = 0;
        for (int read = in.read(chunk); read >= 0; read = in.read(chunk)) {
            bytes += read;
            if (bytes > MOST_BYTES) {
                throw broken(1, "the trace is longer than " + MOST_BYTES + " bytes");
            }
            for (int i = 0; i < read; i++) {
                if (chunk[i] == '\n') {
                    readLine(line, length);
                    length = 0;
                } else if (length == LONGEST_LINE) {
                    throw new SwfFormatException(
                            file, lineNumber + 1, LONGEST_LINE, "the line is longer than " + LONGEST_LINE + " bytes");
                } else {
                    line[length++] = chunk[i];
                }
            }
        }
        readLine(line, length);
    }

    private void readLine(byte[] bytes, int length) throws SwfFormatException {
        lineNumber++;
        var line = new String(bytes, 0, length, StandardCharsets.ISO_8859_1);
        if (lineNumber == 1 && line.startsWith(UTF_8_MARK)) {
            line = line.substring(UTF_8_MARK.length());
        }
        var text = line.strip();
        if (text.startsWith(";")) {
            readComment(text.substring(1).strip());
        } else if (!text.isEmpty()) {
            readJob(line);
        }
    }

    private void readComment(String comment) {
        int colon = comment.indexOf(':');
        if (colon > 0 && jobs.isEmpty() && header.size() < 1000) {
            header.computeIfAbsent(comment.substring(0, colon).strip().toLowerCase(Locale.ROOT), k -> new ArrayList<>())
                    .add(comment.substring(colon + 1).strip());
        }
    }

    private void readJob(String line) throws SwfFormatException {
        int at = 0;
        for (int field = 0; field < FIELDS; field++) {
            while (at < line.length() && Character.isWhitespace(line.charAt(at))) {
                at++;
            }
            int end = at;
            while (end < line.length() && !Character.isWhitespace(line.charAt(end))) {
                end++;
            }
            if (end == at) {
                throw broken(at + 1, "expected " + FIELDS + " fields, found " + field);
            }
            values[field] = value(line.substring(at, end), field, at + 1);
            at = end;
        }
        if (jobs.size() == MOST_JOBS) {
            throw broken(1, "there are more than " + MOST_JOBS + " jobs");
        }
        jobs.add(new SwfTrace.Job(
                values[0],
                values[1],
                values[3],
                processors(4, line),
                processors(7, line),
                values[8],
                (int) Math.max(-1, Math.min(99, values[10])),
                values[11],
                values[14],
                values[15]));
    }

    private int processors(int field, String line) throws SwfFormatException {
        if (values[field] > Need.MOST) {
            throw broken(
                    1,
                    "field " + (field + 1) + " (" + values[field] + " processors) must be at most " + Need.MOST
                            + " in \"" + DisplayText.of(line.strip()) + "\"");
        }
        return (int) values[field];
    }

    private long value(String text, int field, int column) throws SwfFormatException {
        long value = plainNumber(text);
        if (value == NOT_PLAIN && NUMBER.matcher(text).matches()) {
            // Not parseDouble alone: it takes hexadecimal and NaN too, which no trace means.
            double fraction = Double.parseDouble(text);
            value = Math.abs(fraction) <= MOST ? (long) fraction : NOT_PLAIN;
        }
        if (value < (field == RUN_TIME ? -MOST : -1) || value > MOST) {
            throw broken(
                    column,
                    "field " + (field + 1) + " (" + DisplayText.of(text) + ") must be a number from "
                            + (field == RUN_TIME ? -MOST : -1) + " to " + MOST);
        }
        return value;
    }

    /** The number in a field of a few digits, as nearly all are; {@link #NOT_PLAIN} for any other. */
    private static long plainNumber(String text) {
        try {
            return text.length() > 12 || text.indexOf('.') >= 0 ? NOT_PLAIN : Long.parseLong(text);
        } catch (NumberFormatException e) {
            return NOT_PLAIN;
        }
    }

    private SwfFormatException broken(int column, String problem) {
        return new SwfFormatException(file, lineNumber, column, problem);
    }
}
