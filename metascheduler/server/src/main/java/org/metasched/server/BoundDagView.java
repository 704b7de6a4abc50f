package org.metasched.server;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.metasched.dag.binding.BindingRecord;
import org.metasched.dag.binding.DagProgress;
import org.metasched.dag.life.DagPicture;
import org.metasched.dag.life.DagStatus;
import org.metasched.dag.run.RunState;
import org.metasched.dag.slurm.DagSlurmCommands;
import org.metasched.dag.slurm.SlurmException;
import org.metasched.overview.MatchService.Dag;

/**
 * Reader of the progress of a bound DAG in the files of its directory. Slurm is not asked: the files name the program to ask it by, and a claimant
 * wrote them.
 */
final class BoundDagView {

    /** Nodes of the largest DAG that is drawn. */
    private static final int MOST_DRAWN = 500;

    private BoundDagView() {}

    static Dag of(Path directory, Instant now) throws IOException {
        try {
            return of(DagStatus.of(
                    directory,
                    words -> {
                        throw new SlurmException("The server does not ask Slurm.");
                    },
                    DagSlurmCommands.of(List.of("sbatch")),
                    now));
        } catch (SlurmException e) {
            var record =
                    BindingRecord.find(directory).orElseThrow(() -> new IOException(directory + " is bound no more"));
            String word =
                    DagProgress.of(directory, record.origin().dag()).name().toLowerCase(Locale.ROOT);
            return new Dag(word, record.nodes(), Map.of(), Optional.empty(), Optional.empty());
        }
    }

    private static Dag of(DagStatus status) throws IOException {
        Map<String, Long> states = new LinkedHashMap<>();
        Arrays.stream(RunState.values())
                .filter(state -> status.count(state) > 0)
                .forEach(state ->
                        states.put(state.name().toLowerCase(Locale.ROOT).replace('_', ' '), status.count(state)));
        Optional<String> svg = Optional.empty();
        if (status.dag().vertexCount() <= MOST_DRAWN) {
            var picture = new StringBuilder();
            new DagPicture(status.dag(), status.binding().site(), status.states()).writeSvg(picture);
            svg = Optional.of(picture.toString());
        }
        return new Dag(status.word(), status.states().size(), states, status.expectedEnd(), svg);
    }
}
