package org.metasched.dag.slurm;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.metasched.dag.Dag;

/** The environment that condor_dagman hands on to scripts, and to jobs with {@code getenv}. */
public final class InheritedEnvironment {

    /** The variables of its user that condor_dagman always sees. */
    private static final List<String> USUAL = List.of("PATH", "HOME", "USER", "LANG", "LC_ALL", "TZ");

    private InheritedEnvironment() {}

    /**
     * The usual variables and those that the DAG names, overridden by those of its binding.
     *
     * @param user environment of the user who runs the DAG
     * @param bound environment that was chosen when the DAG was bound
     */
    public static Map<String, String> of(Dag dag, Map<String, String> user, Map<String, String> bound) {
        Map<String, String> environment = new LinkedHashMap<>();
        List<String> names = new ArrayList<>(USUAL);
        names.addAll(dag.environmentNames());
        for (String name : names) {
            String value = user.get(name);
            if (value != null) {
                environment.put(name, value);
            }
        }
        environment.putAll(bound);
        return environment;
    }
}
