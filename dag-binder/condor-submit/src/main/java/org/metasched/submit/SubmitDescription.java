package org.metasched.submit;

import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.metasched.submit.MacroExpander.MacroException;

/**
 * A submit description, turned into the ads of its jobs. Settings are expanded when a queue statement asks for jobs, so a later
 * assignment changes what earlier lines mean, as in condor. A description without a queue statement makes one job.
 */
public final class SubmitDescription {

    /**
     * Result of an expansion.
     *
     * @param jobs number of ads that were made
     * @param warnings sentences for the user
     * @param missing complaints, in condor_submit's words, about required files and directories that do not exist; it would refuse the
     *     description
     */
    public record Expansion(int jobs, List<String> warnings, List<String> missing) {

        public Expansion {
            warnings = List.copyOf(warnings);
            missing = List.copyOf(missing);
        }

        /** Whether condor_submit would accept the description. */
        public boolean isAccepted() {
            return missing.isEmpty();
        }
    }

    /** The ads of a job and of the first job of its cluster, from which the job's ad differs little. */
    public record Job(JobAd ad, JobAd cluster) {

        /** The ad as {@code condor_submit -dry-run} prints it: in full for the first job, then only what differs. */
        public Map<String, String> printed() {
            return ad == cluster ? ad.attributes() : ad.differenceTo(cluster);
        }
    }

    /** Macros that have the same value in every description, as condor_submit on Linux defines them. */
    private static final List<String> DEFAULTS =
            List.of(("ARCH=X86_64 OPSYS=LINUX OPSYSANDVER=LINUX OPSYSMAJORVER= OPSYSVER= IsLinux=1 IsWindows=0 Node="
                            + " SPOOL=/var/lib/condor/spool Request_CPUs=$(RequestCPUs) Request_Memory=$(RequestMemory)"
                            + " VM_MEMORY=$(Request_Memory) VM_VCPUS=$(Request_CPUs)")
                    .split(" "));

    private final SubmitContext context;
    private final List<String> appended;
    private final MacroTable table;
    private final MacroExpander expander;
    private final String file;
    private final JobSequence jobs;
    private final List<String> warnings = new ArrayList<>();
    private boolean queued;

    private SubmitDescription(
            String file, SubmitContext context, List<String> appended, Consumer<Job> jobs, SettingObserver settings) {
        this.table = new MacroTable(settings);
        this.file = file;
        this.context = context;
        this.appended = List.copyOf(appended);
        this.jobs = new JobSequence(context, table, jobs);
        this.expander = new MacroExpander(table, context);
        defaults();
    }

    /**
     * Expands a file.
     *
     * @param file path, relative to the directory of the context
     * @param appended settings ({@code name = value}) that count as written before each queue statement
     * @param jobs receiver of each job as it is made
     * @throws SubmitException if condor_submit would refuse the description before it makes all jobs
     */
    public static Expansion expand(Path file, SubmitContext context, List<String> appended, Consumer<Job> jobs)
            throws IOException, SubmitException {
        return expandForNode(
                Optional.empty(), file.toString(), context, List.of(), appended, jobs, (name, at, line) -> {});
    }

    /**
     * Expands a description with macros around it, as DAGMan gives them to a node.
     *
     * @param text an inline description of a DAG file; empty to read the file {@code name}
     * @param name name of the file, relative to the directory of the context, or a name for the text
     * @param before settings ({@code name = value}) that count as written before the first line
     * @param appended settings that count as written before each queue statement
     * @param jobs receiver of each job as it is made
     * @param settings receiver of each setting as it is made
     * @throws SubmitException if condor_submit would refuse the description before it makes all jobs
     */
    public static Expansion expandForNode(
            Optional<String> text,
            String name,
            SubmitContext context,
            List<String> before,
            List<String> appended,
            Consumer<Job> jobs,
            SettingObserver settings)
            throws IOException, SubmitException {
        SubmitDescription description = new SubmitDescription(name, context, appended, jobs, settings);
        description.assign(before, 0);
        try {
            return description.run(
                    text.isPresent()
                            ? text.get()
                            : SubmitLines.read(context.directory().resolve(name)));
        } catch (NoSuchFileException e) {
            throw new SubmitException(name, 0, "can't open file " + name + ": No such file or directory");
        }
    }

    private Expansion run(String text) throws IOException, SubmitException {
        try {
            SubmitLines lines = new SubmitLines(text, file, context.limits().lineBytes());
            new SubmitParser(table, expander, context, this::queue, lines, 0).parse();
            if (!queued) {
                queue("", new SubmitLines("", file, 0));
            }
        } catch (InvalidPathException e) {
            throw new SubmitException(
                    file, 0, "The file name (" + e.getInput() + ") has a NUL, or characters that the locale lacks.");
        }
        if (jobs.jobCount == 0) {
            warnings.add("\"" + file + "\" has only empty \"queue\" commands -- no jobs queued");
        }
        // DAGMan sets these in every description, so they are no typing errors.
        for (String name : List.of("DAG_STATUS", "FAILED_COUNT", "JOB", "RETRY")) {
            table.lookup(name);
        }
        for (String setting : table.unused()) {
            warnings.add("the line '" + setting + "' was unused by condor_submit. Is it a typo?");
        }
        return new Expansion(jobs.jobCount, warnings, jobs.missing);
    }

    private void defaults() {
        ZonedDateTime now = ZonedDateTime.now(context.clock());
        DEFAULTS.forEach(row -> table.putDefault(row.split("=")[0], row.substring(row.indexOf('=') + 1)));
        table.putDefault("SUBMIT_FILE", file);
        table.putDefault("SUBMIT_TIME", Long.toString(now.toEpochSecond()));
        table.putDefault("YEAR", Integer.toString(now.getYear()));
        table.putDefault("MONTH", String.format(java.util.Locale.ROOT, "%02d", now.getMonthValue()));
        table.putDefault("DAY", String.format(java.util.Locale.ROOT, "%02d", now.getDayOfMonth()));
        jobs.putMacros(0, 0);
    }

    private void queue(String arguments, SubmitLines lines) throws IOException, SubmitException {
        int line = lines.line();
        assign(appended, line);
        String expanded = new SubmitSettings(table, expander, file).expand("queue", arguments);
        QueueStatement statement = QueueStatement.parse(expanded)
                .orElseThrow(() -> new SubmitException(file, line, "Invalid Queue count expression"));
        // Once: the third statement finds the warning of the second.
        if (queued && warnings.isEmpty()) {
            warnings.add("Use of multiple queue statements in a single submit file is deprecated.");
        }
        queued = true;
        List<String> items = new QueueItems(context, lines).load(statement);
        int row = 0;
        for (int index = 0; index < items.size(); index++) {
            if (statement.slice().selects(index, items.size())) {
                bind(statement, items.get(index));
                steps(statement, row++);
            }
        }
        statement.variables().forEach(name -> table.putLive(name, ""));
    }

    private void assign(List<String> settings, int line) throws SubmitException {
        for (String setting : settings) {
            int equals = setting.indexOf('=');
            if (equals < 1) {
                throw new SubmitException(
                        file, line, "The appended setting (" + setting + ") is not of the form name = value.");
            }
            String written = setting.substring(0, equals).strip();
            String name = written.startsWith("+") ? "MY." + written.substring(1) : written;
            try {
                String value = setting.substring(equals + 1).strip();
                table.put(name, expander.expandSelf(value, name), file, line);
            } catch (MacroException e) {
                throw new SubmitException(file, line, String.valueOf(e.getMessage()));
            }
        }
    }

    private void bind(QueueStatement statement, String item) {
        List<String> variables = statement.variables();
        List<String> parts = QueueItems.split(item, variables.size());
        for (int i = 0; i < parts.size(); i++) {
            table.putLive(variables.get(i), parts.get(i));
        }
    }

    private void steps(QueueStatement statement, int row) throws SubmitException {
        // condor makes one job of "queue 0"; an empty list of items makes none.
        long count = statement.mode() == QueueStatement.Mode.ONCE ? Math.max(1, statement.count()) : statement.count();
        if (count > context.limits().jobs() - jobs.jobCount) {
            throw new SubmitException(
                    file,
                    0,
                    "The description makes more than " + context.limits().jobs() + " jobs.");
        }
        for (int step = 0; step < count; step++) {
            jobs.make(new SubmitSettings(table, expander, file), row, step);
        }
    }
}
