package org.metasched.dag.binding;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * The variables that condor_submit_dag passes from the user's environment to condor_dagman, so that {@code $ENV} finds them there:
 * those on a list of its own, and those of {@code ENV GET}. Immutable.
 *
 * @param environment variables of the user
 * @param named names of the variables of ENV GET
 */
record InheritedVariables(Map<String, String> environment, Set<String> named) {

    /** Passes nothing on. */
    static final InheritedVariables NONE = new InheritedVariables(Map.of(), Set.of());

    private static final Set<String> NAMES =
            Set.of(("CONDOR_CONFIG PATH PYTHONPATH TZ HOME USER LANG LC_ALL ASAN_OPTIONS LSAN_OPTIONS"
                            + " BEARER_TOKEN BEARER_TOKEN_FILE")
                    .split(" "));
    private static final List<String> PREFIXES = List.of("_CONDOR_", "PERL", "PEGASUS_");

    boolean includes(String name) {
        return environment.containsKey(name)
                && (NAMES.contains(name)
                        || named.contains(name)
                        || PREFIXES.stream().anyMatch(name.toUpperCase(Locale.ROOT)::startsWith));
    }
}
