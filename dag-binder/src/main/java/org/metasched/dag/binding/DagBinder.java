package org.metasched.dag.binding;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.metasched.classad.match.Match;

/**
 * Binds DAGs to sites. From a generic DAG and a match it makes a DAG in a new directory, ready for condor_submit_dag. There every
 * {@code $$(A)} has the value of the matched ad, and every {@code $ENV(X)} of a node has that of the DAG's environment at the site. All
 * other bytes stay, and so does the original. Binding twice gives the same bytes. Follows the matchmaking paper of USCMS (2003).
 * Text of its recipe that today's condor would misread is written in another form. Claims no match: that is the caller's part.
 *
 * <p>Thread-safe. {@code O(bytes of the DAG)}; memory is that of the parsed DAG.
 */
public final class DagBinder {

    /**
     * Options of a binding.
     *
     * @param environment variables of the user, for {@code $ENV} in the DAG's own submit description
     * @param keepMatchMacros whether {@code $$} in nodes is left to the machines of the site
     * @param staging way in which jobs get the files that they read
     */
    public record Options(Map<String, String> environment, boolean keepMatchMacros, InputStaging staging) {

        public Options {
            environment = Map.copyOf(environment);
        }

        /** {@code $$} is replaced everywhere; inputs are links. */
        public static Options of(Map<String, String> environment) {
            return new Options(environment, false, InputStaging.LINK);
        }
    }

    private final Options options;

    public DagBinder(Options options) {
        this.options = options;
    }

    /** A binder that stages inputs and keeps macros as an earlier one did. */
    DagBinder like(BindingRecord record) {
        return new DagBinder(new Options(options.environment(), record.keepsMatchMacros(), record.staging()));
    }

    /**
     * Writes a bound DAG.
     *
     * @param out the new directory; it may be an earlier binding of the same DAG to which nothing has been added
     * @throws UnboundReferenceException if a reference has a value neither at the site nor by default; nothing is written
     * @throws IllegalArgumentException if the DAG is not sound, a name leads out of its directory, or the site's environment is malformed
     */
    public BoundDag bind(NestedDag dag, DagJobAd job, Match match, Path out)
            throws IOException, UnboundReferenceException {
        return bind(dag, job, match, out, Map.of());
    }

    /** @param companions contents, by name, of files about the match */
    BoundDag bind(NestedDag dag, DagJobAd job, Match match, Path out, Map<String, byte[]> companions)
            throws IOException, UnboundReferenceException {
        BindingRecord.Origin origin = origin(dag, job);
        try (OutputTree tree = OutputTree.at(out, origin, options.staging())) {
            for (Map.Entry<String, byte[]> companion : companions.entrySet()) {
                tree.accompany(companion.getKey(), companion.getValue());
            }
            return new BindingRun(dag, job, match, options, tree).run(origin, Optional.of(out));
        }
    }

    /** The DAG that {@link #bind} would write, without writing it. */
    public BoundDag plan(NestedDag dag, DagJobAd job, Match match) throws IOException, UnboundReferenceException {
        try (OutputTree tree = OutputTree.listed(options.staging())) {
            return new BindingRun(dag, job, match, options, tree).run(origin(dag, job), Optional.empty());
        }
    }

    private static BindingRecord.Origin origin(NestedDag dag, DagJobAd job) {
        return new BindingRecord.Origin(
                dag.directory().toString(),
                String.valueOf(dag.file().getFileName()),
                job.source()
                        .map(file -> file.toAbsolutePath().normalize().toString())
                        .orElse(""));
    }
}
