package org.metasched.submit;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.metasched.classad.Expr;

/**
 * A job's attributes, each as the text of an expression in the old ClassAd syntax. Names are looked up without regard to case and
 * keep their first spelling.
 */
public final class JobAd {

    private final TreeMap<String, String> names = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    private final Map<String, String> texts = new LinkedHashMap<>();

    JobAd() {}

    /** The text of an attribute. */
    public Optional<String> get(String name) {
        String known = names.get(name);
        return known == null ? Optional.empty() : Optional.ofNullable(texts.get(known));
    }

    boolean has(String name) {
        return names.containsKey(name);
    }

    void put(String name, String text) {
        String known = names.putIfAbsent(name, name);
        texts.put(known == null ? name : known, text);
    }

    void put(String name, long value) {
        put(name, Long.toString(value));
    }

    void put(String name, boolean value) {
        put(name, Boolean.toString(value));
    }

    void putString(String name, String value) {
        put(name, SubmitExpressions.quote(value));
    }

    Optional<Expr> expression(String name) {
        return get(name).flatMap(SubmitExpressions::parse);
    }

    /** The value of an attribute that is a string. */
    public Optional<String> string(String name) {
        return get(name).flatMap(SubmitExpressions::textValue);
    }

    /** Whether the text of the attribute is exactly {@code true}; {@code TRUE} and expressions do not count. */
    boolean isTrue(String name) {
        return get(name).filter("true"::equals).isPresent();
    }

    /** All attributes in the order in which they were first put. */
    public Map<String, String> attributes() {
        return Collections.unmodifiableMap(texts);
    }

    /**
     * The attributes that this job's ad adds to the ad of its cluster, or has with another value. ProcId and JobStatus are always among
     * them, ClusterId never.
     */
    public Map<String, String> differenceTo(JobAd cluster) {
        Map<String, String> difference = new LinkedHashMap<>();
        texts.forEach((name, text) -> {
            boolean isAlways = name.equals("ProcId") || name.equals("JobStatus");
            if (isAlways || !name.equals("ClusterId") && !cluster.get(name).equals(Optional.of(text))) {
                difference.put(name, text);
            }
        });
        return difference;
    }
}
