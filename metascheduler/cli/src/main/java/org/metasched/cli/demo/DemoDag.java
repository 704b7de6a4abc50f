package org.metasched.cli.demo;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.metasched.classad.ClassAd;
import org.metasched.classad.collector.CollectorQuery;
import org.metasched.cli.output.ExitCodeException;
import org.metasched.cli.output.OutputOptions;
import org.metasched.cli.server.CollectorCalls;
import org.metasched.dag.binding.BoundDag;
import org.metasched.dag.binding.DagBinder;
import org.metasched.dag.binding.DagJobAd;
import org.metasched.dag.binding.LeaseLocator;
import org.metasched.dag.binding.LeasingBinder;
import org.metasched.dag.binding.NestedDag;
import org.metasched.dag.binding.UnboundReferenceException;
import org.metasched.soap.collector.RemoteLeases;

/** The demo's DAG: stage in, run, stage out, clean up. */
final class DemoDag {

    private static final List<String> FILES =
            List.of("group.dag", "stage-in.sub", "run.sub", "stage-out.sub", "clean-up.sub");

    /** The bound DAG. */
    record Bound(String site, long nodes, Path outputDir) {}

    private DemoDag() {}

    /** Binds the DAG to one of the grid's sites. With {@code --json} the bound DAG stays on the disk; else it is deleted with the grid. */
    static Bound bind(DemoGrid grid, OutputOptions output) throws IOException {
        Path generic = grid.folder().resolve("dag");
        unpack(generic);
        var dag = NestedDag.read(generic.resolve("group.dag"));
        var job = DagJobAd.of(dag.file(), Optional.empty(), List.of(), Map.of());
        List<ClassAd> ads = CollectorCalls.on(
                grid.server(), grid.caller(), collector -> collector.query(CollectorQuery.ofType("Machine")));
        var binder = new LeasingBinder(
                new DagBinder(DagBinder.Options.of(Map.of())),
                grid.server().toString(),
                new LeaseLocator(Clock.systemUTC(), server -> new RemoteLeases(server, grid.caller())));
        Path out = (output.json() ? Files.createTempDirectory("metasched-demo-dag") : grid.folder()).resolve("bound");
        try {
            BoundDag bound = binder.bind(dag, job, ads, out)
                    .orElseThrow(() -> ExitCodeException.outside("No site of the demo takes the DAG."));
            tell(bound, out, grid, output);
            return new Bound(bound.record().site(), bound.record().nodes(), out);
        } catch (UnboundReferenceException e) {
            throw ExitCodeException.outside("The demo's DAG cannot be bound: " + e.getMessage());
        }
    }

    private static void tell(BoundDag bound, Path out, DemoGrid grid, OutputOptions output) throws IOException {
        String site = bound.record().site();
        output.say("  bound to " + site + ", " + bound.record().nodes() + " nodes, in " + out);
        output.say("  generic: " + line(grid.folder().resolve("dag").resolve("stage-in.sub")));
        output.say("  bound:   " + line(out.resolve("stage-in.sub")));
        CollectorCalls.on(grid.server(), grid.caller(), collector -> collector.query(CollectorQuery.ofType("Machine")))
                .stream()
                .filter(ad -> BoundDag.siteName(ad).equals(site))
                .forEach(ad -> output.say("  CurMatches of " + site + " is "
                        + ad.evaluate("CurMatches").print() + " of "
                        + ad.evaluate("MaxMatches").print() + " now."));
    }

    private static String line(Path file) throws IOException {
        return Files.readAllLines(file, StandardCharsets.UTF_8).stream()
                .filter(line -> line.startsWith("arguments"))
                .findFirst()
                .orElse("");
    }

    private static void unpack(Path directory) throws IOException {
        Files.createDirectories(directory);
        for (String name : FILES) {
            try (InputStream in = Objects.requireNonNull(
                    DemoDag.class.getResourceAsStream("demo-dag/" + name), "the demo's DAG lacks " + name)) {
                Files.copy(in, directory.resolve(name));
            }
        }
    }
}
