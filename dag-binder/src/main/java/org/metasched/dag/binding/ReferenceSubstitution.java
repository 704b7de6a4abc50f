package org.metasched.dag.binding;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Replaces the {@link SiteReference}s of a region, which is one command with its continuation lines; complains of those it cannot. */
final class ReferenceSubstitution {

    private final SiteValues values;
    private final String file;
    private final Consumer<UnboundReference> unbound;

    ReferenceSubstitution(SiteValues values, String file, Consumer<UnboundReference> unbound) {
        this.values = values;
        this.file = file;
        this.unbound = unbound;
    }

    String file() {
        return file;
    }

    SiteValues values() {
        return values;
    }

    /**
     * The region with its references replaced; all else, comment lines between continuations too, as it stood.
     *
     * @param valueStart where the assigned value begins
     * @param line on which the region begins
     */
    String apply(String region, int valueStart, ValueQuoting quoting, int line, String node) {
        StringBuilder out = new StringBuilder(region.length() + 64);
        int at = 0;
        SiteReference reference = SiteReference.next(region, 0);
        while (reference != null) {
            out.append(region, at, reference.start());
            out.append(
                    isInComment(region, reference.start())
                            ? reference.written(region)
                            : replacement(region, valueStart, quoting, line, node, reference));
            at = reference.end();
            reference = SiteReference.next(region, at);
        }
        out.append(region, at, region.length());
        String result = out.toString();
        if (changesMeaning(region, result)) {
            SiteReference first = SiteReference.next(region, 0);
            complain(
                    region,
                    first == null ? new SiteReference(SiteReference.Kind.VARIABLE, 0, 0, "", null) : first,
                    line,
                    node,
                    "has a value that would make another command of the line");
        }
        return result;
    }

    private String replacement(
            String region, int valueStart, ValueQuoting quoting, int line, String node, SiteReference reference) {
        SiteValues.Answer answer = values.answer(reference);
        if (answer instanceof SiteValues.Answer.Text text) {
            String before = reference.start() > valueStart ? region.substring(valueStart, reference.start()) : "";
            String written = quoting.write(text.text(), before);
            if (written != null) {
                return written;
            }
            complain(region, reference, line, node, "has a value that cannot be said here without quotes around it");
        } else if (answer instanceof SiteValues.Answer.Source source) {
            return source.text();
        } else if (answer instanceof SiteValues.Answer.Missing missing) {
            complain(region, reference, line, node, missing.reason());
        }
        return reference.written(region);
    }

    void complain(String region, SiteReference reference, int line, String node, String reason) {
        int at = line
                + (int) region.substring(0, reference.start())
                        .chars()
                        .filter(c -> c == '\n')
                        .count();
        String written = SiteValues.utf8(reference.written(region));
        unbound.accept(new UnboundReference(node, file, at, written, reason));
    }

    /** Whether a reference stands on a comment line. */
    static boolean isInComment(String region, int position) {
        int start = region.lastIndexOf('\n', position) + 1;
        return region.substring(start, position).stripLeading().startsWith("#");
    }

    /** Whether values made the region another command: one at its beginning may look like a command, one at its end like a continuation. */
    private static boolean changesMeaning(String before, String after) {
        boolean continues =
                after.stripTrailing().endsWith("\\") && !before.stripTrailing().endsWith("\\");
        String start = before.stripLeading();
        if (!start.startsWith("$") || continues) {
            return continues;
        }
        String now = after.stripLeading();
        return now.matches("(?is)([#)@+]|(queue|if|elif|else|endif|include|use|error|warning)\\b|[\\w.+-]+\\s*=).*");
    }

    /** The first reference of a region outside its comments, or null. */
    static @Nullable SiteReference first(String region) {
        SiteReference reference = SiteReference.next(region, 0);
        while (reference != null && isInComment(region, reference.start())) {
            reference = SiteReference.next(region, reference.end());
        }
        return reference;
    }
}
