package org.metasched.cli.dag;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.metasched.cli.output.ExitCodeException;
import org.metasched.dag.binding.DagBinder;
import org.metasched.dag.binding.DagJobAd;
import org.metasched.dag.binding.InputStaging;
import org.metasched.dag.binding.NestedDag;
import picocli.CommandLine.Option;

/** Mixin of the commands that bind DAGs: how a DAG and its job ad are read. */
final class BindingOptions {

    @Option(
            names = "--job-ad",
            paramLabel = "F",
            description = "The DAG's job ad, or the submit description of its condor_dagman job;"
                    + " else <DAG>.condor.sub is taken if it is there, else defaults.")
    @Nullable
    Path jobAd;

    @Option(
            names = "--env",
            paramLabel = "NAME=VALUE",
            description = "A variable for $ENV() in the DAG's own submit description, beside those of this process.")
    Map<String, String> environment = new LinkedHashMap<>();

    // Picocli prints one dollar for two.
    @Option(names = "--keep-match-macros", description = "Leave $$$$() in nodes for the machines of the site.")
    boolean keepMatchMacros;

    @Option(
            names = "--files",
            paramLabel = "HOW",
            description = "The files that jobs read: link (default), copy, or manifest, a list for another program.")
    InputStaging staging = InputStaging.LINK;

    /** Reads a DAG; if it would not run, prints its errors and ends the command. */
    static NestedDag read(Path file, PrintWriter err) throws IOException {
        NestedDag dag = NestedDag.read(file);
        if (!dag.isSound()) {
            dag.errors().forEach(problem -> err.println(problem.toString()));
            err.flush();
            throw ExitCodeException.badInput("The DAG (" + file + ") would not run, so it is not bound.");
        }
        return dag;
    }

    DagJobAd job(NestedDag dag) throws IOException {
        return DagJobAd.of(
                dag.file(), Optional.ofNullable(jobAd), dag.root().dag().jobAttributes(), variables(environment));
    }

    DagBinder binder() {
        return new DagBinder(new DagBinder.Options(variables(environment), keepMatchMacros, staging));
    }

    /** The environment of this process, with the given variables. */
    static Map<String, String> variables(Map<String, String> given) {
        Map<String, String> variables = processVariables();
        variables.putAll(given);
        return variables;
    }

    /** The environment of this process; {@code USER} is never missing. */
    static Map<String, String> processVariables() {
        Map<String, String> variables = new HashMap<>(System.getenv());
        variables.putIfAbsent("USER", System.getProperty("user.name", "nobody"));
        return variables;
    }

    /** The name of a DAG file without its ending. */
    static String stem(Path file) {
        String name = String.valueOf(file.getFileName());
        return name.endsWith(".dag") && name.length() > 4 ? name.substring(0, name.length() - 4) : name;
    }
}
