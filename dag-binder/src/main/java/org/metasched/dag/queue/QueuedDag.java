package org.metasched.dag.queue;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.metasched.classad.ClassAd;
import org.metasched.classad.Syntax;
import org.metasched.classad.Value;
import org.metasched.dag.binding.DagBinder;
import org.metasched.dag.binding.DagJobAd;
import org.metasched.dag.binding.InputStaging;
import org.metasched.dag.binding.NestedDag;

/** A DAG in a queue, as an ad that contains the DAG's job ad: listing the queue reads no DAG file. Immutable. */
public final class QueuedDag {

    /** State of a DAG: waiting, or the way in which its wait ended. */
    public enum State {
        WAITING,
        BOUND,
        EXPIRED,
        WITHDRAWN,
        /** The DAG, or the ad of the site, has an error. */
        FAILED
    }

    /**
     * Terms on which a DAG waits and is bound.
     *
     * @param jobAd path of the file with the job ad; empty if none was given
     * @param environment variables beside those of the process that binds the DAG
     * @param keepMatchMacros whether {@code $$()} of match attributes is left to condor
     * @param staging the way in which input files come into the bound directory
     * @param owner user to whose share its match counts
     * @param batch name that DAGs of one group share, {@code -} for none
     * @param priority rank among the DAGs of its owner, greater first
     * @param expires end of the wait, in seconds since 1970; {@link Long#MAX_VALUE} for never
     */
    public record Terms(
            String jobAd,
            Map<String, String> environment,
            boolean keepMatchMacros,
            InputStaging staging,
            String owner,
            String batch,
            long priority,
            long expires) {}

    private final ClassAd ad;
    private final State state;
    private final long expires;

    QueuedDag(ClassAd ad) {
        this.ad = ad;
        this.state = State.valueOf(ad.getString("State"));
        this.expires = ad.getLong("Expires");
    }

    /**
     * A DAG that waits.
     *
     * @param out folder in which it will be bound
     */
    public static QueuedDag of(NestedDag dag, DagJobAd job, Path out, Terms terms) {
        return new QueuedDag(ClassAd.EMPTY
                .with("Dag", dag.file().toString())
                .with("Out", out.toAbsolutePath().normalize().toString())
                .with("JobFile", terms.jobAd)
                .with("Job", job.ad().print())
                .with("Nodes", dag.root().dag().nodeCount())
                .with(
                        "Environment",
                        Value.ListOf.of(terms.environment.entrySet().stream()
                                .map(entry -> Value.Text.of(entry.getKey() + "=" + entry.getValue()))
                                .toList()))
                .with("KeepMatchMacros", terms.keepMatchMacros)
                .with("Staging", terms.staging.name())
                .with("Owner", terms.owner)
                .with("Batch", terms.batch)
                .with("Priority", terms.priority)
                .with("Expires", terms.expires)
                .with("State", State.WAITING.name()));
    }

    /** The DAG in a state, since {@code now} if it had another state before. */
    QueuedDag with(State next, String note, Instant now) {
        return new QueuedDag(ad.with("State", next.name())
                .with("Note", note)
                .with("Since", (next == state ? since() : now).getEpochSecond()));
    }

    /** The DAG as it is queued, with its number in the queue. */
    QueuedDag numbered(long id, Instant now) {
        return new QueuedDag(ad.with("Id", id).with("Since", now.getEpochSecond()));
    }

    /** The DAG as a line of the queue's log. */
    String line() {
        return ad.print(Syntax.JSON);
    }

    public long id() {
        return ad.getLong("Id");
    }

    public Path dag() {
        return Path.of(ad.getString("Dag"));
    }

    /** The directory in which the DAG is, or will be, bound. */
    public Path out() {
        return Path.of(ad.getString("Out"));
    }

    public String owner() {
        return ad.getString("Owner");
    }

    public String batch() {
        return ad.getString("Batch");
    }

    public long priority() {
        return ad.getLong("Priority");
    }

    public State state() {
        return state;
    }

    /** The state as users see it. */
    public String stateName() {
        return state.name().toLowerCase(Locale.ROOT);
    }

    /** The instant since which the DAG has its state. */
    public Instant since() {
        return Instant.ofEpochSecond(ad.getLong("Since"));
    }

    /** The site of a bound DAG, the fault of a failed one, or the last fault of a waiting one. */
    public String note() {
        return ad.getString("Note", "");
    }

    boolean isExpired(Instant now) {
        return state == State.WAITING && expires <= now.getEpochSecond();
    }

    /** The number of nodes and the job ad: DAGs in which both are equal match the same sites. */
    String kind() {
        return ad.getLong("Nodes") + job();
    }

    /** The job ad as it was when the DAG was queued, as text. */
    String job() {
        return ad.getString("Job");
    }

    DagBinder.Options options(Map<String, String> variables) {
        return new DagBinder.Options(
                variables,
                ad.getBoolean("KeepMatchMacros"),
                InputStaging.valueOf(ad.getString("Staging", InputStaging.LINK.name())));
    }

    /** Variables with which the DAG is bound: those of the process, overridden by those of its terms. */
    Map<String, String> environment(Map<String, String> process) {
        var variables = new HashMap<>(process);
        for (Value entry : ad.getList("Environment", List.of())) {
            if (entry instanceof Value.Text text) {
                String[] parts = text.text().split("=", 2);
                variables.put(parts[0], parts[1]);
            }
        }
        return variables;
    }

    /** The job ad of the DAG as its files are now. */
    DagJobAd jobAd(NestedDag dag, Map<String, String> environment) throws IOException {
        return DagJobAd.of(dag, ad.getString("JobFile"), environment);
    }
}
