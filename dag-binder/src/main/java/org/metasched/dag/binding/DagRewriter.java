package org.metasched.dag.binding;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Settles the references of a DAG file: in the values of VARS, in descriptions that stand in the file, in ENV SET and
 * SET_JOB_ATTR. Elsewhere DAGMan expands nothing, so there all stays as it is. Streams, a command at a time. For one file, once.
 */
final class DagRewriter {

    private static final Set<String> WITH_DESCRIPTION =
            Set.of("JOB", "NODE", "FINAL", "PROVISIONER", "SERVICE", "SUBMIT-DESCRIPTION");

    private final Substitution forNodes;
    private final Substitution forDag;
    private final InputStream in;
    private final OutputStream out;
    private final int limit;
    private int line = 1;
    private boolean hasGetenv;
    private byte last = '\n';

    /**
     * @param forNodes settles what nodes ask for
     * @param forDag settles what is about the DAG's own job
     * @param limit of a command with its continuations, in bytes
     */
    DagRewriter(Substitution forNodes, Substitution forDag, InputStream in, OutputStream out, int limit) {
        this.forNodes = forNodes;
        this.forDag = forDag;
        this.in = new BufferedInputStream(in, 1 << 16);
        this.out = out;
        this.limit = limit;
    }

    void rewrite() throws IOException {
        String region = region();
        while (!region.isEmpty()) {
            int lines = Regions.lines(region);
            write(command(region));
            line += lines;
            region = region();
        }
    }

    boolean hasGetenv() {
        return hasGetenv;
    }

    /** Whether the last line has its end. */
    boolean endedWithNewline() {
        return last == '\n';
    }

    private void write(String latin1) throws IOException {
        byte[] bytes = latin1.getBytes(StandardCharsets.ISO_8859_1);
        out.write(bytes);
        last = bytes.length > 0 ? bytes[bytes.length - 1] : last;
    }

    private String command(String region) throws IOException {
        List<String> words = words(region);
        String keyword = words.isEmpty() ? "" : words.get(0).toUpperCase(Locale.ROOT);
        if (WITH_DESCRIPTION.contains(keyword) && words.size() > 2) {
            String closing = closing(words.get(2));
            if (!closing.isEmpty()) {
                return description(region, words.get(1), closing);
            }
        }
        if (region.indexOf('$') < 0) {
            return region;
        }
        String node = words.size() > 1 ? SiteValues.utf8(words.get(1)) : "";
        int value = region.indexOf('=') + 1;
        switch (keyword) {
            case "VARS":
                return forNodes.apply(region, 0, Quoting.VARS, line, node);
            case "SET_JOB_ATTR":
                return forDag.apply(region, value, Quoting.EXPRESSION, line, "");
            case "ENV":
                return forDag.apply(region, value, Quoting.ENTRIES, line, "");
            default:
                return region;
        }
    }

    private String description(String region, String node, String closing) throws IOException {
        write(region);
        line += Regions.lines(region);
        StringBuilder text = new StringBuilder();
        String physical = physical();
        while (!physical.isEmpty() && !closes(physical.strip(), closing)) {
            text.append(physical);
            if (text.length() > limit) {
                throw new IOException("line " + line + ": the description of (" + SiteValues.utf8(node)
                        + ") is longer than " + limit + " bytes");
            }
            physical = physical();
        }
        SubmitRewriter rewriter = new SubmitRewriter(forNodes, null, SiteValues.utf8(node));
        write(rewriter.rewrite(text.toString(), line));
        hasGetenv |= rewriter.hasGetenv();
        line += Regions.lines(text.toString());
        // The caller counts the lines of the command it read, and those are counted already.
        line -= Regions.lines(region);
        line += Regions.lines(physical);
        return physical;
    }

    private static boolean closes(String trimmed, String closing) {
        return trimmed.equals(closing) || trimmed.startsWith(closing + " ");
    }

    private static String closing(String word) {
        if (word.startsWith("{")) {
            return "}";
        }
        return word.startsWith("@=") && word.length() > 2 ? "@" + word.substring(2) : "";
    }

    /** The first three words of a command. */
    private static List<String> words(String region) {
        List<String> words = new ArrayList<>(3);
        int at = 0;
        while (words.size() < 3 && at < region.length()) {
            while (at < region.length() && (Character.isWhitespace(region.charAt(at)) || region.charAt(at) == '\\')) {
                at++;
            }
            int start = at;
            while (at < region.length() && !Character.isWhitespace(region.charAt(at))) {
                at++;
            }
            if (at > start) {
                words.add(region.substring(start, at).replace("\"", ""));
            }
        }
        return words;
    }

    private String region() throws IOException {
        String physical = physical();
        String trimmed = physical.strip();
        if (trimmed.startsWith("#") || trimmed.startsWith("//") || !trimmed.endsWith("\\")) {
            return physical;
        }
        StringBuilder region = new StringBuilder(physical);
        boolean more = true;
        while (more) {
            String next = physical();
            String text = next.strip();
            boolean skipped = text.isEmpty() || text.startsWith("#") || text.startsWith("//");
            region.append(next);
            more = !next.isEmpty() && (skipped || text.endsWith("\\"));
            if (region.length() > limit) {
                throw new IOException("line " + line + " is longer than " + limit + " bytes");
            }
        }
        return region.toString();
    }

    private final ByteArrayOutputStream buffer = new ByteArrayOutputStream(256);

    /** The next line with its end; empty at the end of the file. */
    private String physical() throws IOException {
        buffer.reset();
        int c = in.read();
        while (c >= 0) {
            buffer.write(c);
            if (c == '\n') {
                break;
            }
            if (buffer.size() > limit) {
                throw new IOException("line " + line + " is longer than " + limit + " bytes");
            }
            c = in.read();
        }
        return buffer.toString(StandardCharsets.ISO_8859_1);
    }
}
