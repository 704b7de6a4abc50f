package org.metasched.dag.binding;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Replaces the {@link SiteReference}s of a region: the text of one command with its continuation lines.
 *
 * @param values answers to the references
 * @param file name of the file for messages
 * @param unbound takes the references that cannot be replaced
 */
record ReferenceSubstitution(SiteValues values, String file, Consumer<UnboundReference> unbound) {

    /**
     * The region with its references replaced. Everything else stays as it was, also comment lines between continuations.
     *
     * @param valueStart offset in the region at which the assigned value begins
     * @param line number of the line in the file on which the region begins
     * @param node name of the DAG node for messages
     */
    String apply(String region, int valueStart, ValueQuoting quoting, int line, String node) {
        StringBuilder out = new StringBuilder(region.length() + 64);
        int at = 0;
        for (var next = SiteReference.next(region, 0); next != null; next = SiteReference.next(region, at)) {
            out.append(region, at, next.start());
            out.append(
                    isInComment(region, next.start())
                            ? next.written(region)
                            : replacement(region, valueStart, quoting, line, node, next));
            at = next.end();
        }
        out.append(region, at, region.length());
        String result = out.toString();
        if (continues(result) && !continues(region)) {
            List<SiteReference> all = references(region);
            String reason = "has a value that would join the next line to this one";
            complain(region, all.get(all.size() - 1), line, node, reason);
        } else if (beginsCommand(region, result)) {
            String reason = "has a value that would make another command of the line";
            complain(region, references(region).get(0), line, node, reason);
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
        int at = line + region.substring(0, reference.start()).split("\n", -1).length - 1;
        String written = SiteValues.utf8(reference.written(region));
        unbound.accept(new UnboundReference(node, file, at, written, reason));
    }

    /** Whether a reference stands on a comment line. */
    private static boolean isInComment(String region, int position) {
        int start = region.lastIndexOf('\n', position) + 1;
        return region.substring(start, position).stripLeading().startsWith("#");
    }

    /** Whether the next line of the file would belong to the region. */
    private static boolean continues(String region) {
        return region.stripTrailing().endsWith("\\");
    }

    /** Whether the value of a reference at the region's begin looks like a command of the file. */
    private static boolean beginsCommand(String before, String after) {
        String now = after.stripLeading();
        return before.stripLeading().startsWith("$")
                && now.matches(
                        "(?is)([#)@+]|(queue|if|elif|else|endif|include|use|error|warning)\\b|[\\w.+-]+\\s*=).*");
    }

    /** The references of a region outside its comments. */
    static List<SiteReference> references(String region) {
        var references = new ArrayList<SiteReference>();
        for (var next = SiteReference.next(region, 0); next != null; next = SiteReference.next(region, next.end())) {
            if (!isInComment(region, next.start())) {
                references.add(next);
            }
        }
        return references;
    }
}
