package org.metasched.simulation.result;

import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.metasched.adapter.Need;
import org.metasched.simulation.result.MetaRecord.Held;
import org.metasched.simulation.scenario.Scenario;

/** A meta-job as a line of {@code meta-jobs.csv}. */
final class MetaLine {

    static final String HEADER = RunFiles.SWF_COLUMNS
            + ",stream,measured,outcome,cause,given_start,start,end,start_shift,rounds,calls,attempts,parts,sites,nodes,held,used"
            + ",held_from,held_until";

    private MetaLine() {}

    /** An outcome as files spell it, such as {@code no-common-slot}. */
    static String word(MetaRecord.Outcome outcome) {
        return outcome.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** The seconds from submission to start. Only for granted jobs. */
    static long waited(Scenario scenario, MetaRecord record) {
        return record.start().orElse(0L) - scenario.second(record.job().submitted());
    }

    /** The seconds from the earliest wanted start to the start. Only for granted jobs. */
    static long shift(Scenario scenario, MetaRecord record) {
        return record.start().orElse(0L) - scenario.second(record.job().earliest());
    }

    /** The line: the eighteen fields of the format, then further columns. A job that was not granted stands as cancelled before it ran. */
    static String of(Scenario scenario, MetaRecord record) {
        var job = record.job();
        var nodes = job.parts().stream()
                .filter(part -> part.request().need() instanceof Need.Nodes)
                .toList();
        int total =
                nodes.stream().mapToInt(part -> part.request().need().amount()).sum();
        boolean granted = record.granted();
        // Indexes are the field numbers of the format less one.
        long[] swf = RunFiles.unknown();
        swf[0] = job.number();
        swf[1] = scenario.second(job.submitted());
        swf[2] = granted ? waited(scenario, record) : -1;
        swf[3] = granted ? job.run().toSeconds() : -1;
        swf[4] = granted ? total : -1;
        swf[7] = total;
        swf[8] = job.duration().toSeconds();
        swf[10] = granted ? 1 : 5;
        return RunFiles.line(
                swf,
                job.stream(),
                scenario.measures(job.submitted()) ? 1 : 0,
                word(record.outcome()),
                record.cause(),
                job.hasGivenStart() ? scenario.second(job.earliest()) : -1,
                record.start().orElse(-1L),
                record.held().stream().mapToLong(MetaRecord.Held::until).max().orElse(-1),
                granted && job.hasGivenStart() ? shift(scenario, record) : -1,
                record.rounds(),
                record.calls(),
                record.attempts(),
                nodes.size(),
                joined(nodes.stream().map(part -> part.site().value())),
                joined(nodes.stream().map(part -> part.request().need().amount())),
                record.heldNodeSeconds(),
                record.usedNodeSeconds(),
                joined(record.held().stream().map(Held::from)),
                joined(record.held().stream().map(Held::until)));
    }

    private static String joined(Stream<?> values) {
        return values.map(String::valueOf).collect(Collectors.joining("+"));
    }
}
