package org.metasched.cli.dag;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.metasched.cli.output.ExitCodeException;
import org.metasched.cli.output.PrintingCommand;
import org.metasched.dag.DagParser;
import org.metasched.dag.DagProblem;
import org.metasched.dag.ParsedDag;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code metasched dag check}: reads a DAG as strictly as condor_dagman and condor_dag_checker do. */
@Command(
        name = "check",
        description = "Says whether condor would run a DAG, and if not, why. Exits with 2 if there are errors.")
final class DagCheckCommand extends PrintingCommand implements Callable<Integer> {

    @Parameters(index = "0", description = "The DAG file.")
    private Path file;

    @Override
    public Integer call() {
        ParsedDag parsed = parse();
        output.print(Checked.of(parsed), out -> print(parsed, out));
        return parsed.isSound() ? 0 : ExitCodeException.BAD_INPUT;
    }

    private ParsedDag parse() {
        try {
            return new DagParser().parse(file);
        } catch (IOException e) {
            throw ExitCodeException.badInput(String.valueOf(e.getMessage()));
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
            List<String> cycle) {

        static Checked of(ParsedDag parsed) {
            var dag = parsed.dag();
            return new Checked(
                    dag.nodeCount(),
                    dag.edgeCount(),
                    dag.joinCount(),
                    dag.arcCount(),
                    parsed.errorCount(),
                    parsed.errors(),
                    parsed.warnings(),
                    parsed.cycle());
        }
    }

    private void print(ParsedDag parsed, PrintWriter out) {
        parsed.warnings().forEach(problem -> output.err().println("warning: " + problem));
        parsed.errors().forEach(problem -> output.err().println(problem.toString()));
        output.err().flush();
        if (parsed.isSound()) {
            out.println(parsed.dag().nodeCount() + " nodes, " + parsed.dag().edgeCount() + " dependencies: sound.");
        } else {
            out.println(parsed.errorCount() + (parsed.errorCount() == 1 ? " error." : " errors."));
        }
    }
}
