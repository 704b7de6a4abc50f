package org.metasched.dag;

import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The variables that condor_submit_dag passes from the user's environment to condor_dagman, so that {@code $ENV}, scripts and jobs with
 * {@code getenv} find them there. Immutable.
 *
 * @param environment variables of the user
 * @param patterns names of the variables that are passed, as {@code getenv} takes them: letter case does not count, a {@code *}
 *     stands for any characters, and a {@code !} before a name excludes it
 */
public record InheritedVariables(Map<String, String> environment, Set<String> patterns) {

    /** The patterns of condor_submit_dag itself. */
    private static final Set<String> DEFAULT =
            Set.of(("CONDOR_CONFIG _CONDOR_* PATH PYTHONPATH PERL* PEGASUS_* TZ HOME USER"
                            + " LANG LC_ALL ASAN_OPTIONS LSAN_OPTIONS BEARER_TOKEN BEARER_TOKEN_FILE")
                    .split(" "));

    /** The variables that pass without ENV GET. */
    public static InheritedVariables usual(Map<String, String> environment) {
        return new InheritedVariables(environment, DEFAULT);
    }

    /** The variables that pass with the patterns of ENV GET in addition. */
    public InheritedVariables and(List<String> got) {
        var all = new HashSet<>(patterns);
        all.addAll(got);
        return new InheritedVariables(environment, all);
    }

    /** The variables that pass, overridden by those of a binding. */
    public Map<String, String> with(Map<String, String> bound) {
        Map<String, String> all = new TreeMap<>(environment);
        all.keySet().removeIf(name -> !passes(name));
        all.putAll(bound);
        return all;
    }

    /** Whether a variable is set and passed. As in condor, a variable whose value has a line end is not passed. */
    public boolean passes(String name) {
        String value = environment.get(name);
        return value != null && value.indexOf('\n') < 0 && isListed("", name) && !isListed("!", name);
    }

    private boolean isListed(String sign, String name) {
        return patterns.stream()
                .filter(pattern -> pattern.startsWith("!") != sign.isEmpty())
                .map(pattern -> pattern.substring(sign.length()).toLowerCase(Locale.ROOT))
                .anyMatch(pattern -> matches(pattern, name.toLowerCase(Locale.ROOT)));
    }

    /** As in condor, text behind a first {@code *} may stand anywhere behind the text before it, not only at the end. */
    private static boolean matches(String pattern, String name) {
        int star = pattern.indexOf('*');
        return star < 0
                ? name.equals(pattern)
                : name.startsWith(pattern.substring(0, star))
                        && name.indexOf(pattern.substring(star + 1).replaceFirst("[*]$", ""), star) >= 0;
    }
}
