package org.metasched.cli.dag;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.metasched.adapter.DisplayText;
import org.metasched.cli.output.ErrorMessages;
import org.metasched.cli.output.ExitCodeException;
import org.metasched.cli.output.OutputOptions;

/** The DAGs of one command. The failure of one does not stop the others. From 21 DAGs on, equal ends and failures are counted, not shown. */
final class DagBatch {

    /** The number of DAGs, and of reasons of failures, up to which each is shown. */
    private static final int MOST_LINES = 20;

    /** Work on one DAG, with its exit code. */
    interface Work {
        int on(Path dag) throws IOException;
    }

    private final OutputOptions output;
    private final List<Path> dags;
    /** The number of DAGs for each end that is only counted. */
    private final Map<String, Integer> ends = new TreeMap<>();
    /** For each reason of a failure the words {@code like DAG}, with the first DAG that failed for it. */
    private final Map<String, String> firstByReason = new HashMap<>();
    /** For each of these texts, or {@code for other reasons}, the number of further DAGs that failed so. */
    private final Map<String, Integer> likeFirst = new TreeMap<>();

    DagBatch(OutputOptions output, List<Path> dags) {
        this.output = output;
        this.dags = dags;
    }

    /** Does the work on each DAG; returns the greatest exit code. If there is one DAG only, its failure is thrown. */
    int each(Work work) {
        int worst = 0;
        for (Path dag : dags) {
            try {
                worst = Math.max(worst, work.on(dag));
            } catch (ExitCodeException
                    | IOException
                    | UncheckedIOException
                    | IllegalArgumentException
                    | IllegalStateException e) {
                ExitCodeException failure = failure(e);
                if (dags.size() == 1) {
                    throw failure;
                }
                tell(dag, String.valueOf(failure.getMessage()));
                worst = Math.max(worst, failure.exitCode());
            }
        }
        likeFirst.forEach(
                (first, number) -> output.err().println(number + " more failed " + first + "; --verbose shows each."));
        output.err().flush();
        ends.forEach((end, number) -> output.out().println(DisplayText.count(number, "DAG") + " " + end));
        output.out().flush();
        return worst;
    }

    private static ExitCodeException failure(Exception e) {
        if (e instanceof ExitCodeException failure) {
            return failure;
        }
        String reason = ErrorMessages.of(e);
        return e instanceof IllegalStateException
                ? ExitCodeException.no(reason)
                : e instanceof IllegalArgumentException
                        ? ExitCodeException.badInput(reason)
                        : ExitCodeException.outside(reason);
    }

    /** Prints a failure, or counts it if an earlier one differed from it by the DAG's name alone. */
    private void tell(Path dag, String failure) {
        String name = String.valueOf(dag.getFileName()).replaceFirst("\\.[^.]*$", "");
        String reason = failure.replaceAll("\\b" + Pattern.quote(name) + "\\b", "");
        String first = firstByReason.size() < MOST_LINES
                ? firstByReason.putIfAbsent(reason, "like " + dag)
                : firstByReason.getOrDefault(reason, "for other reasons");
        if (first != null && countsOnly()) {
            likeFirst.merge(first, 1, Integer::sum);
        } else {
            output.err().println("metasched: " + dag + ": " + failure);
            output.err().flush();
        }
    }

    private boolean countsOnly() {
        return dags.size() > MOST_LINES && !output.json() && !output.verbose();
    }

    /** Counts the end of a DAG; false if the caller must show it, as ends of few DAGs, or with {@code --json} or {@code --verbose}. */
    boolean count(String end) {
        if (countsOnly()) {
            ends.merge(end, 1, Integer::sum);
        }
        return countsOnly();
    }
}
