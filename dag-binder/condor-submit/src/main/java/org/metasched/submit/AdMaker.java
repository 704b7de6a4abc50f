package org.metasched.submit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Makes one job ad: {@link AttributeGroup}s put their attributes into it, and share its settings, universe and directory. */
final class AdMaker {

    /** Canonical texts of expressions; descriptions of many jobs repeat the same few. */
    private static final Map<String, String> CANONICAL = new ConcurrentHashMap<>();

    private static final int CANONICAL_LIMIT = 4_096;
    private static final Pattern URL = Pattern.compile("\\p{L}[\\p{L}\\p{Nd}+.-]*://");

    final SubmitSettings settings;
    final SubmitContext context;
    final JobAd ad = new JobAd();
    final Universe universe;
    private String jobDirectory;
    private final List<String> missing;

    AdMaker(SubmitSettings settings, SubmitContext context, List<String> missing) throws SubmitException {
        this.settings = settings;
        this.context = context;
        this.missing = missing;
        this.universe = Universe.of(settings);
        this.jobDirectory = context.directory().toString();
    }

    void jobDirectory(String directory) {
        jobDirectory = directory;
    }

    /** The path of a name that is relative to the job's directory. */
    String inJobDirectory(String name) {
        return name.startsWith("/") ? name : compress(jobDirectory + "/" + name);
    }

    /** The path of a name that is relative to the directory in which condor_submit runs. */
    String inDirectory(String name) {
        return name.startsWith("/") ? name : compress(context.directory() + "/" + name);
    }

    /** The path with single slashes. */
    static String compress(String path) {
        return path.replaceAll("/{2,}", "/");
    }

    /** Notes a file that ought to exist and does not; the ads are made nevertheless. */
    void noteMissing(String complaint) {
        if (!missing.contains(complaint)) {
            missing.add(complaint);
        }
    }

    /** Size in KiB, rounded up; 0 if there is no such file. */
    long kibibytes(String path) {
        try {
            Path file = Path.of(path);
            return Files.isRegularFile(file) ? (Files.size(file) + 1023) / 1024 : 0;
        } catch (IOException | InvalidPathException e) {
            return 0;
        }
    }

    /** Puts an attribute with an expression of the user. */
    void expression(String attribute, String setting, String text) throws SubmitException {
        String canonical = CANONICAL.get(text);
        if (canonical == null) {
            canonical = SubmitExpressions.parse(text)
                    .map(SubmitExpressions::print)
                    .orElseThrow(() -> settings.error(
                            setting, "Parse error in expression: \n\t" + attribute + " = " + text + hint(text)));
            if (CANONICAL.size() < CANONICAL_LIMIT && text.length() < 1_000) {
                CANONICAL.put(text, canonical);
            }
        }
        ad.put(attribute, canonical);
    }

    private static String hint(String text) {
        return text.contains("$$(")
                ? "\nMaybe bind it first: condor_submit takes $$() only inside of quotes, and dag bind replaces it before."
                : "";
    }

    /** Puts an attribute with the expression of the first of these settings, if one has a value. */
    void expressionIf(String attribute, String... names) throws SubmitException {
        Optional<String> value = settings.get(names);
        if (value.isPresent()) {
            expression(attribute, names[0], value.get());
        }
    }

    /** Puts an attribute with the text of the first of these settings, if one has a value. */
    void stringIf(String attribute, String... names) throws SubmitException {
        settings.get(names).ifPresent(value -> ad.putString(attribute, value));
    }

    /** The value, trimmed, without double quotes around it. */
    static String unquoted(String value) {
        String text = value.strip();
        boolean quoted = text.length() > 1 && text.startsWith("\"") && text.endsWith("\"");
        return quoted ? text.substring(1, text.length() - 1) : text;
    }

    /** Items between commas, trimmed, empty ones left out. */
    static List<String> list(String text) {
        return Stream.of(text.split("[,\n]"))
                .map(String::strip)
                .filter(item -> !item.isEmpty())
                .toList();
    }

    /** Whether a name begins with a URL's scheme and {@code ://}. */
    static boolean isUrl(String name) {
        return URL.matcher(name).lookingAt();
    }

    /** The scheme of a URL, which names the plugin that transfers it. */
    static String urlScheme(String name) {
        String scheme = name.substring(0, name.indexOf("://"));
        // user.method+https is the plugin "https" with a token of the user's.
        int plus = scheme.lastIndexOf('+');
        return plus >= 0 ? scheme.substring(plus + 1) : scheme;
    }
}
