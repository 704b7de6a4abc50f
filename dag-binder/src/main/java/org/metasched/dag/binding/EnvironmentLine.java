package org.metasched.dag.binding;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.metasched.submit.JobEnvironment;

/**
 * The value of an {@code environment} command with references in it, in either syntax. Entries are taken apart before the values
 * go in, so a semicolon, blank or quote in a value divides nothing. An entry that is nothing but a reference, like the
 * {@code $$(SiteEnvironment)} of the 2003 recipe, stands for all the variables of its value, wherever it stands; today's
 * condor_submit takes a leading dollar sign for the delimiter.
 */
final class EnvironmentLine {

    /**
     * Private-use characters, from this one, stand for references while entries are taken apart. The text is Latin-1, so it has none itself.
     */
    private static final char FIRST = '\ue000';

    private static final int MOST_REFERENCES = 4096;

    private final List<SiteValues.Answer> answers = new ArrayList<>();
    private final List<String> written = new ArrayList<>();
    private final List<String> entries;

    private EnvironmentLine(String value, SiteValues values) {
        StringBuilder text = new StringBuilder();
        int at = 0;
        for (var next = SiteReference.next(value, 0); next != null; next = SiteReference.next(value, at)) {
            if (answers.size() == MOST_REFERENCES) {
                throw new IllegalArgumentException("has more than " + MOST_REFERENCES + " references");
            }
            text.append(value, at, next.start()).append((char) (FIRST + answers.size()));
            answers.add(values.answer(next));
            written.add(next.written(value));
            at = next.end();
        }
        text.append(value, at, value.length());
        this.entries = JobEnvironment.entries(text.toString());
    }

    /**
     * The variables of a value, the later of equal names winning.
     *
     * @param protect function that protects values of the site from expansion
     * @throws IllegalArgumentException if the value is no environment; the message is the end of a sentence about the value
     */
    static Map<String, String> variables(String value, SiteValues values, UnaryOperator<String> protect) {
        return new EnvironmentLine(value, values).variables(protect);
    }

    private Map<String, String> variables(UnaryOperator<String> protect) {
        Map<String, String> variables = new LinkedHashMap<>();
        for (String entry : entries) {
            if (entry.length() == 1 && entry.charAt(0) >= FIRST) {
                addAll(entry.charAt(0) - FIRST, variables, protect);
                continue;
            }
            int equals = entry.indexOf('=');
            if (equals < 1) {
                throw new IllegalArgumentException("has an entry (" + filled(entry, UnaryOperator.identity())
                        + ") that is not of the form NAME=value");
            }
            variables.put(filled(entry.substring(0, equals), protect), filled(entry.substring(equals + 1), protect));
        }
        return variables;
    }

    /** Adds all the variables of an entry that is nothing but a reference. */
    private void addAll(int number, Map<String, String> variables, UnaryOperator<String> protect) {
        SiteValues.Answer answer = answers.get(number);
        if (answer instanceof SiteValues.Answer.Text text) {
            JobEnvironment.parseAttribute(text.text())
                    .variables()
                    .forEach((name, value) -> variables.put(protect.apply(name), protect.apply(value)));
        } else if (answer instanceof SiteValues.Answer.Source source) {
            variables.putAll(JobEnvironment.parseAttribute(source.text()).variables());
        } else {
            throw new IllegalArgumentException(
                    "has an entry (" + written.get(number) + ") that has no value before the job is matched");
        }
    }

    private String filled(String text, UnaryOperator<String> protect) {
        StringBuilder out = new StringBuilder();
        for (char c : text.toCharArray()) {
            if (c < FIRST) {
                out.append(c);
                continue;
            }
            SiteValues.Answer answer = answers.get(c - FIRST);
            out.append(
                    answer instanceof SiteValues.Answer.Text value
                            ? protect.apply(value.text())
                            : answer instanceof SiteValues.Answer.Source source
                                    ? source.text()
                                    : written.get(c - FIRST));
        }
        return out.toString();
    }

    /** Whether the entries of the line stay as they are if values simply take the place of their references. */
    static boolean isPlain(String value, SiteValues values) {
        boolean isNew = JobEnvironment.isNewSyntax(value);
        SiteReference reference = SiteReference.next(value, 0);
        while (reference != null) {
            char before = reference.start() == 0 ? ';' : value.charAt(reference.start() - 1);
            boolean startsEntry = isNew ? before == '"' || before == ' ' || before == '\t' : before == ';';
            if (startsEntry
                    || (values.answer(reference) instanceof SiteValues.Answer.Text text
                            && !isHarmless(text.text(), isNew))) {
                return false;
            }
            reference = SiteReference.next(value, reference.end());
        }
        return true;
    }

    private static boolean isHarmless(String value, boolean isNew) {
        return value.chars()
                .noneMatch(c -> c <= ' ' || c == '\'' || c == '"' || c == '$' || c == '\\' || (!isNew && c == ';'));
    }
}
