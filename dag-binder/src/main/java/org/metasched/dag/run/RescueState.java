package org.metasched.dag.run;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The state in a rescue file.
 *
 * @param done names of nodes that need not run again
 * @param failed names of nodes in error
 * @param retries number of retries left, by node; empty if they begin anew
 */
public record RescueState(List<String> done, List<String> failed, Map<String, Integer> retries) {
    public RescueState {
        done = List.copyOf(done);
        failed = List.copyOf(failed);
        retries = Collections.unmodifiableMap(new LinkedHashMap<>(retries));
    }
}
