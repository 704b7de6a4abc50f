package org.metasched.console;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;
import java.util.stream.Collectors;
import org.metasched.overview.MatchService.Dag;
import org.metasched.overview.MatchService.Match;

/** A match that is held, and its bound DAG, where this server sees it. */
record MatchModel(Match match, Optional<Dag> dag) {

    /** The directory of the DAG as a word for a shell. */
    String directory() {
        return "'" + match.holder().replace("'", "'\\''") + "'";
    }

    /** Picks the colour. */
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
