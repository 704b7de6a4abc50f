package org.metasched.cli.dag;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.metasched.cli.output.Failure;
import org.metasched.cli.output.OutputOptions;
import org.metasched.dag.DagParser;
import org.metasched.dag.DagProblem;
import org.metasched.dag.ParsedDag;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code metasched dag check}: reads a DAG as strictly as condor_dagman and condor_dag_checker do. */
@Command(
        name = "check",
        mixinStandardHelpOptions = true,
        description = "Says whether condor would run a DAG, and if not, why. Exits with 2 if there are errors.")
final class DagCheckCommand implements Callable<Integer> {

    @Mixin
    private OutputOptions output;

    @Parameters(index = "0", description = "The DAG file.")
    private Path file;

    @Override
    public Integer call() {
        ParsedDag parsed = parse();
        if (output.json()) {
            output.printJson(json(parsed));
        } else {
            print(parsed);
        }
        return parsed.isSound() ? 0 : Failure.BAD_INPUT;
    }

    private ParsedDag parse() {
        try {
            return new DagParser().parse(file);
        } catch (IOException e) {
            throw Failure.badInput(String.valueOf(e.getMessage()));
        }
    }

    private void print(ParsedDag parsed) {
        parsed.warnings().forEach(problem -> output.err().println("warning: " + problem));
        parsed.errors().forEach(problem -> output.err().println(problem.toString()));
        output.err().flush();
        if (parsed.isSound()) {
            output.out()
                    .println(
                            parsed.dag().nodeCount() + " nodes, " + parsed.dag().edgeCount() + " dependencies: sound.");
        } else {
            output.out().println(parsed.errorCount() + (parsed.errorCount() == 1 ? " error." : " errors."));
        }
        output.out().flush();
    }

    private static Map<String, Object> json(ParsedDag parsed) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("nodes", parsed.dag().nodeCount());
        json.put("edges", parsed.dag().edgeCount());
        json.put("joinNodes", parsed.dag().joinCount());
        json.put("arcs", parsed.dag().arcCount());
        json.put("errorCount", parsed.errorCount());
        json.put("errors", problems(parsed.errors()));
        json.put("warnings", problems(parsed.warnings()));
        json.put("cycle", parsed.cycle());
        return json;
    }

    static List<Map<String, Object>> problems(List<DagProblem> problems) {
        List<Map<String, Object>> list = new ArrayList<>();
        for (DagProblem problem : problems) {
            Map<String, Object> json = new LinkedHashMap<>();
            json.put("file", problem.file());
            json.put("line", problem.line());
            json.put("column", problem.column());
            json.put("message", problem.message());
            json.put("command", problem.command());
            json.put("reason", problem.reason());
            json.put("hint", problem.hint());
            list.add(json);
        }
        return list;
    }
}
