package org.metasched.cli.dag;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.metasched.classad.ClassAd;
import org.metasched.cli.output.ErrorMessages;
import org.metasched.cli.output.ExitCodeException;
import org.metasched.cli.output.PrintingCommand;
import org.metasched.cli.output.TextTable;
import org.metasched.dag.binding.NestedDag;
import org.metasched.dag.queue.DagQueue;
import org.metasched.dag.queue.QueueBindingPass;
import org.metasched.dag.queue.QueuedDag;
import org.metasched.dag.queue.QueuedDag.State;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code metasched dag queue}: DAGs that wait until a site has room for them. */
@Command(
        name = "queue",
        description = {
            "Queues DAGs until a site has room for them; --bind or --follow binds those that have a match.",
            "The owner with the fewest matches is next, with the DAG of highest priority, of equal ones the oldest; a DAG without a match lets others pass."
        })
final class DagQueueCommand extends PrintingCommand implements Callable<Integer> {

    /** Actions beside queueing. */
    static final class Action {
        @Option(names = "--bind", description = "Bind the DAGs that have a match now. Needs --sites or --server.")
        private boolean bind;

        @Option(
                names = "--follow",
                description = "Like --bind until stopped, whenever the ads, the count or the queue change.")
        private boolean follow;

        @Option(names = "--list", description = "Count the DAGs by batch and owner; with --batch list its DAGs.")
        private boolean list;

        @Option(names = "--withdraw", description = "Take waiting DAGs out of the queue: the given ones or a --batch.")
        private boolean withdraw;
    }

    @ArgGroup(multiplicity = "0..1")
    private Action action = new Action();

    @Option(names = "--queue", paramLabel = "FOLDER", description = "Folder of the queue. Default: ~/.metasched/queue.")
    private Path folder = Path.of(System.getProperty("user.home"), ".metasched", "queue");

    @Option(names = "--out", paramLabel = "DIR", description = "Folder in which each DAG gets an output directory.")
    private @Nullable Path out;

    @Option(names = "--priority", paramLabel = "N", description = "Higher ones of an owner go first. Default: 0.")
    private long priority;

    @Option(names = "--owner", paramLabel = "NAME", description = "Owner of the DAGs in the fair share. Default: you.")
    private String owner = System.getProperty("user.name", "");

    @Option(names = "--batch", paramLabel = "NAME", description = "A name for DAGs that belong together.")
    private @Nullable String batch;

    @Option(names = "--expires", paramLabel = "SPAN", description = "How long the DAGs wait at most, such as 12h.")
    private @Nullable Duration expires;

    @Option(names = "--poll", paramLabel = "SECONDS", description = "With --follow: time between checks. Default: 10.")
    private int poll = 10;

    @Mixin
    private BindingOptions reading = new BindingOptions();

    @Mixin
    private SiteChoice sites = new SiteChoice();

    @Parameters(
            paramLabel = "F.dag",
            arity = "0..*",
            description = "DAG files, or directories with one each; its name becomes that of the output directory.")
    private List<Path> dags = List.of();

    /** The greatest exit code so far. */
    private int exit;

    @Override
    public Integer call() throws IOException {
        ExitCodeException.badInputIf(poll < 1, "--poll (%s) must be at least 1 second.", poll);
        var queue = new DagQueue(folder, Clock.systemUTC());
        if (action.list) {
            list(queue.list());
        } else if (action.withdraw) {
            withdraw(queue);
        } else {
            if (!dags.isEmpty()) {
                add(queue);
            } else if (!action.bind && !action.follow) {
                throw ExitCodeException.badInput(
                        "DAGs to be queued, --bind, --follow, --list or --withdraw are missing.");
            }
            if (action.bind || action.follow) {
                bind(queue);
            }
        }
        return exit;
    }

    private void add(DagQueue queue) throws IOException {
        if (out == null) {
            throw ExitCodeException.badInput("Where the DAGs are to be bound (--out DIR) is missing.");
        }
        long end = expires == null
                ? Long.MAX_VALUE
                : Clock.systemUTC().instant().getEpochSecond() + Math.min(expires.toSeconds(), Long.MAX_VALUE / 2);
        String job = reading.jobAd == null
                ? ""
                : reading.jobAd.toAbsolutePath().normalize().toString();
        String name = batch == null ? "-" : batch;
        var terms = new QueuedDag.Terms(
                job, reading.environment, reading.keepMatchMacros, reading.staging, owner, name, priority, end);
        List<QueuedDag> added = new ArrayList<>();
        for (Path given : dags) {
            try {
                Path file = dagFile(given);
                NestedDag dag = BindingOptions.read(file, output.err());
                Path place = out.resolve(file.equals(given) ? BindingOptions.stem(file) : name(given));
                added.add(QueuedDag.of(dag, reading.job(dag), place, terms));
            } catch (IOException | IllegalArgumentException e) {
                failed(ExitCodeException.BAD_INPUT, ErrorMessages.of(e));
            } catch (ExitCodeException e) {
                failed(e.exitCode(), String.valueOf(e.getMessage()));
            }
        }
        queue.add(added);
        output.say("queued in " + folder + ": " + added.size() + (added.size() == 1 ? " DAG" : " DAGs"));
    }

    /** The DAG file of an argument: the file itself, or the only one in a directory. */
    private static Path dagFile(Path given) throws IOException {
        if (!Files.isDirectory(given)) {
            return given;
        }
        try (var files = Files.list(given)) {
            List<Path> found = files.filter(file -> name(file).endsWith(".dag")).toList();
            if (found.size() != 1) {
                throw ExitCodeException.badInput(
                        "The directory (" + given + ") must hold one DAG file (*.dag); it holds " + found.size() + ".");
            }
            return found.get(0);
        }
    }

    private static String name(Path path) {
        return String.valueOf(path.toAbsolutePath().normalize().getFileName());
    }

    /** Prints a failure, and goes on. */
    private void failed(int code, String message) {
        output.err().println("metasched: " + message);
        output.err().flush();
        exit = Math.max(exit, code);
    }

    private void bind(DagQueue queue) throws IOException {
        var pass = new QueueBindingPass(queue, BindingOptions.processVariables(), sites::planning, this::tell);
        String failure = "";
        while (true) {
            String lastFailure = failure;
            failure = "";
            try {
                List<ClassAd> ads = sites.ads();
                sites.settle();
                pass.bindWaiting(ads);
            } catch (UncheckedIOException | ExitCodeException e) {
                if (!action.follow) {
                    throw e;
                }
                // A server that is away comes back.
                failure = ErrorMessages.of(e);
                if (!failure.equals(lastFailure)) {
                    failed(ExitCodeException.OUTSIDE, failure);
                }
            }
            if (!action.follow) {
                return;
            }
            DagOverview.pause(Duration.ofSeconds(poll));
        }
    }

    private void tell(QueuedDag dag) {
        if (dag.state() == State.FAILED) {
            failed(ExitCodeException.BAD_INPUT, dag.dag() + ": " + dag.note());
        } else {
            output.print(
                    Entry.of(dag),
                    dag.dag() + " " + dag.stateName() + (dag.state() == State.BOUND ? " to " + dag.note() : ""));
        }
    }

    private void withdraw(DagQueue queue) {
        if (dags.isEmpty() && batch == null) {
            throw ExitCodeException.badInput("The DAGs to be withdrawn, or a --batch, are missing.");
        }
        Set<Path> named = new HashSet<>();
        dags.forEach(dag -> named.add(dag.toAbsolutePath().normalize()));
        Predicate<QueuedDag> isNamed = dag -> named.isEmpty()
                || named.contains(dag.dag())
                || named.contains(dag.dag().getParent())
                || named.contains(dag.out());
        List<QueuedDag> withdrawn =
                queue.withdraw(isNamed.and(dag -> batch == null || dag.batch().equals(batch)));
        withdrawn.forEach(this::tell);
        if (withdrawn.isEmpty()) {
            output.say("No DAG of these waits in the queue.");
            exit = ExitCodeException.NO;
        }
    }

    /** A DAG as users see it. */
    private record Entry(
            Path dag, Path out, String owner, String batch, long priority, String state, Instant since, String note) {

        static Entry of(QueuedDag dag) {
            return new Entry(
                    dag.dag(),
                    dag.out(),
                    dag.owner(),
                    dag.batch(),
                    dag.priority(),
                    dag.stateName(),
                    dag.since(),
                    dag.note());
        }
    }

    /** The numbers of DAGs of one batch and owner, by state. */
    private record Row(
            String batch, String owner, long waiting, long bound, long failed, long expired, long withdrawn) {

        static Row of(List<QueuedDag> dags) {
            Map<State, Long> counts =
                    dags.stream().collect(Collectors.groupingBy(QueuedDag::state, Collectors.counting()));
            return new Row(
                    dags.get(0).batch(),
                    dags.get(0).owner(),
                    counts.getOrDefault(State.WAITING, 0L),
                    counts.getOrDefault(State.BOUND, 0L),
                    counts.getOrDefault(State.FAILED, 0L),
                    counts.getOrDefault(State.EXPIRED, 0L),
                    counts.getOrDefault(State.WITHDRAWN, 0L));
        }
    }

    /** @param sites number of the listed DAGs that hold a match, by site */
    private record Listing(
            List<Row> batches,
            Map<String, Long> sites,
            @JsonInclude(Include.NON_ABSENT) Optional<List<Entry>> dags) {}

    private void list(List<QueuedDag> all) {
        List<QueuedDag> shown = all.stream()
                .filter(dag -> batch == null || dag.batch().equals(batch))
                .toList();
        List<Row> rows = shown.stream()
                .collect(Collectors.groupingBy(
                        dag -> List.of(dag.batch(), dag.owner()), LinkedHashMap::new, Collectors.toList()))
                .values()
                .stream()
                .map(Row::of)
                .toList();
        Map<String, Long> held = shown.stream()
                .filter(DagQueue::holdsMatch)
                .collect(Collectors.groupingBy(QueuedDag::note, TreeMap::new, Collectors.counting()));
        List<Entry> entries = shown.stream().map(Entry::of).toList();
        output.print(new Listing(rows, held, Optional.ofNullable(batch).map(name -> entries)), text -> {
            var table = batch == null
                    ? new TextTable("BATCH", "OWNER", "WAITING", "BOUND", "FAILED", "EXPIRED", "WITHDRAWN")
                    : new TextTable("DAG", "OWNER", "PRIORITY", "STATE", "SINCE", "NOTE");
            if (batch == null) {
                rows.forEach(row -> table.row(
                        row.batch, row.owner, row.waiting, row.bound, row.failed, row.expired, row.withdrawn));
            } else {
                entries.forEach(dag -> table.row(dag.dag, dag.owner, dag.priority, dag.state, dag.since, dag.note));
            }
            table.print(text);
            held.forEach((site, count) -> text.println("matches held of " + site + ": " + count));
        });
    }
}
