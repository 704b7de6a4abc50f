package org.metasched.cli.agreement;

import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.metasched.adapter.Need;
import org.metasched.cli.output.ExitCodeException;
import org.metasched.client.OfferWriter.Part;

/** Reads {@code NAME:nodes=N[,cores=C][,properties=P+Q]}, {@code NAME:bandwidth=MBITS} and {@code NAME:licences=N,feature=F}. */
final class SitePart {

    private static final String FORM = "NAME:nodes=N[,cores=C][,properties=P+Q]";
    private static final Set<String> KEYS = Set.of("nodes", "cores", "properties", "bandwidth", "licences", "feature");

    private SitePart() {}

    /** @throws ExitCodeException if the text has another form */
    static Part read(String text) {
        int colon = text.indexOf(':');
        if (colon < 1) {
            throw bad(text, "must be of the form " + FORM);
        }
        var values = values(text, text.substring(colon + 1), KEYS);
        try {
            return new Part(Optional.of(text.substring(0, colon)), Optional.empty(), need(text, values));
        } catch (IllegalArgumentException e) {
            throw bad(text, "cannot be asked for: " + e.getMessage());
        }
    }

    /** @param text the whole request, for messages */
    static Need need(String text, Map<String, String> values) {
        if (values.containsKey("nodes")) {
            only(text, values, Set.of("nodes", "cores", "properties"));
            int cores = values.containsKey("cores") ? number(text, values, "cores") : 1;
            return new Need.Nodes(number(text, values, "nodes"), cores, properties(values));
        } else if (values.containsKey("bandwidth")) {
            only(text, values, Set.of("bandwidth"));
            return new Need.Bandwidth(number(text, values, "bandwidth"));
        } else if (values.containsKey("licences") && values.containsKey("feature")) {
            only(text, values, Set.of("licences", "feature"));
            return new Need.Licences(values.get("feature"), number(text, values, "licences"));
        }
        throw bad(text, "does not say how much: nodes, bandwidth, or licences of a feature");
    }

    private static SortedSet<String> properties(Map<String, String> values) {
        return values.containsKey("properties")
                ? new TreeSet<>(Arrays.asList(values.get("properties").split("\\+", -1)))
                : Collections.emptySortedSet();
    }

    /** The values of a list {@code KEY=VALUE,KEY=VALUE}, by key. */
    static Map<String, String> values(String text, String list, Set<String> keys) {
        Map<String, String> values = new LinkedHashMap<>();
        for (var pair : list.split(",", -1)) {
            int equals = pair.indexOf('=');
            String key = equals < 1 ? pair : pair.substring(0, equals).strip();
            if (equals < 1 || !keys.contains(key)) {
                throw bad(
                        text,
                        "has (" + pair + ") where one of " + new TreeSet<>(keys) + " with '=' and a value is expected");
            }
            if (values.put(key, pair.substring(equals + 1).strip()) != null) {
                throw bad(text, "says " + key + " twice");
            }
        }
        return values;
    }

    /** Refuses values beside the allowed ones. */
    private static void only(String text, Map<String, String> values, Set<String> allowed) {
        values.keySet().stream().filter(k -> !allowed.contains(k)).findFirst().ifPresent(k -> {
            throw bad(text, "mixes " + k + " with another kind of resource");
        });
    }

    static int number(String text, Map<String, String> values, String key) {
        try {
            return Integer.parseInt(values.getOrDefault(key, ""));
        } catch (NumberFormatException e) {
            throw bad(
                    text, "must have a whole number for " + key + ", below 2147483648, not (" + values.get(key) + ")");
        }
    }

    static ExitCodeException bad(String text, String problem) {
        return ExitCodeException.badInput("The request (" + text + ") " + problem + (problem.endsWith(".") ? "" : "."));
    }
}
