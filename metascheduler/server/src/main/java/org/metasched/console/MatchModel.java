package org.metasched.console;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;
import java.util.stream.Collectors;
import org.metasched.overview.MatchService.Dag;
import org.metasched.overview.MatchService.Match;

/** A held match, with its bound DAG if this server can read the DAG's directory. */
record MatchModel(Match match, Optional<Dag> dag) {

    /** The directory of the DAG, quoted for a shell. */
    String directory() {
        return "'" + match.holder().replace("'", "'\\''") + "'";
    }

    /** The style class of the badge, which decides its colour. */
    static String kind(Dag dag) {
        return switch (dag.word()) {
            case "finished" -> "good";
            case "running" -> "wait";
            case "bound" -> "done";
            default -> "warn";
        };
    }

    static String progress(Dag dag) {
        String states = dag.states().entrySet().stream()
                .map(state -> state.getValue() + " " + state.getKey())
                .collect(Collectors.joining(", "));
        return dag.nodes() + " nodes" + (states.isEmpty() ? "" : ": " + states);
    }

    static String base64(String svg) {
        return Base64.getEncoder().encodeToString(svg.getBytes(StandardCharsets.UTF_8));
    }
}
