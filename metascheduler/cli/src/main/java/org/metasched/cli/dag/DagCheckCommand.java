package org.metasched.cli.dag;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.metasched.adapter.DisplayText;
import org.metasched.cli.output.ErrorMessages;
import org.metasched.cli.output.ExitCodeException;
import org.metasched.cli.output.PrintingCommand;
import org.metasched.dag.DagParser;
import org.metasched.dag.DagProblem;
import org.metasched.dag.ParsedDag;
import org.metasched.dag.binding.NodeDescriptions;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code metasched dag check}: reads a DAG as strictly as condor_dagman and condor_dag_checker do. */
@Command(name = "check", description = "Says whether condor would run a DAG, or why not; exits with 2 if not.")
final class DagCheckCommand extends PrintingCommand implements Callable<Integer> {

    @Parameters(index = "0", description = "The DAG file.")
    private Path file;

    @Override
    public Integer call() {
        try {
            ParsedDag parsed = new DagParser().parse(file);
            // The descriptions of the nodes are read only if the DAG itself is sound.
            List<DagProblem> errors = parsed.isSound()
                    ? NodeDescriptions.refused(file, BindingOptions.processVariables())
                    : parsed.errors();
            long count = parsed.isSound() ? errors.size() : parsed.errorCount();
            var dag = parsed.dag();
            var checked = new Checked(
                    dag.nodeCount(),
                    dag.edgeCount(),
                    dag.joinCount(),
                    dag.arcCount(),
                    count,
                    errors,
                    parsed.warnings(),
                    parsed.cycle());
            output.print(checked, out -> print(parsed, count, errors, out));
            return errors.isEmpty() ? 0 : ExitCodeException.BAD_INPUT;
        } catch (IOException e) {
            throw ExitCodeException.badInput(ErrorMessages.of(e));
        }
    }

    private record Checked(
            int nodes,
            long edges,
            int joinNodes,
            int arcs,
            long errorCount,
            List<DagProblem> errors,
            List<DagProblem> warnings,
            List<String> cycle) {}

    private void print(ParsedDag parsed, long count, List<DagProblem> errors, PrintWriter out) {
        parsed.warnings().forEach(problem -> output.err().println("warning: " + problem));
        errors.forEach(problem -> output.err().println(problem.toString()));
        output.err().flush();
        if (errors.isEmpty()) {
            out.println(DisplayText.count(parsed.dag().nodeCount(), "node") + ", "
                    + DisplayText.count(parsed.dag().edgeCount(), "dependency") + ": sound.");
        } else {
            out.println(DisplayText.count(count, "error") + ".");
        }
    }
}
