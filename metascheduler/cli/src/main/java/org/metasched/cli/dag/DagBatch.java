package org.metasched.cli.dag;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.metasched.cli.output.ExitCodeException;
import org.metasched.cli.output.OutputOptions;

/** The DAGs of one command: one that fails holds up none of the others, and more than fit on a screen are counted. */
final class DagBatch {

    private static final int MOST_LINES = 20;

    /** Work on one of them, with its exit code. */
    interface Work {
        int on(Path dag) throws IOException;
    }

    private final OutputOptions output;
    private final List<Path> dags;
    private final Map<String, Integer> ends = new TreeMap<>();

    DagBatch(OutputOptions output, List<Path> dags) {
        this.output = output;
        this.dags = dags;
    }

    /** The exit code of the worst. */
    int each(Work work) throws IOException {
        int worst = 0;
        for (Path dag : dags) {
            try {
                worst = Math.max(worst, work.on(dag));
            } catch (ExitCodeException e) {
                if (dags.size() == 1) {
                    throw e;
                }
                output.err().println("metasched: " + dag + ": " + e.getMessage());
                output.err().flush();
                worst = Math.max(worst, e.exitCode());
            }
        }
        ends.forEach((end, number) -> output.out().println(number + " DAGs " + end));
        output.out().flush();
        return worst;
    }

    /** Whether a DAG that ended so is counted only. {@code --json} and {@code --verbose} show each. */
    boolean counts(String end) {
        boolean counts = dags.size() > MOST_LINES && !output.json() && !output.verbose();
        if (counts) {
            ends.merge(end, 1, Integer::sum);
        }
        return counts;
    }
}
