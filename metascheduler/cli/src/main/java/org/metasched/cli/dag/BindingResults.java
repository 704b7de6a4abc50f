package org.metasched.cli.dag;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.metasched.dag.binding.BindingRecord;
import org.metasched.dag.binding.BoundDag;
import org.metasched.dag.binding.InputStaging;
import org.metasched.dag.binding.UnboundReference;

/** Output of {@code dag bind} for one DAG, as records. */
final class BindingResults {

    private BindingResults() {}

    /**
     * A DAG that is or would be bound.
     *
     * @param unresolved always empty, so that the output has the keys of {@link Unbound} too
     * @param directory folder of the bound DAG; empty if nothing was written
     */
    record Bound(
            String site,
            double rank,
            long nodes,
            Map<String, String> environment,
            List<String> files,
            List<String> links,
            @JsonInclude(Include.NON_EMPTY) List<String> copies,
            Map<String, String> matched,
            List<UnboundReference> unresolved,
            List<String> warnings,
            Optional<Path> directory,
            @JsonInclude(Include.NON_EMPTY) List<SiteFinding> explain) {

        static Bound of(BoundDag bound, List<SiteFinding> findings) {
            BindingRecord record = bound.record();
            return new Bound(
                    record.site(),
                    record.rank(),
                    record.nodes(),
                    record.environment(),
                    record.files(),
                    record.inputs(InputStaging.LINK),
                    record.inputs(InputStaging.COPY),
                    record.matched(),
                    List.of(),
                    bound.warnings(),
                    bound.directory(),
                    findings);
        }
    }

    /** A DAG that is not bound: the ad of the best site lacks attributes to which it refers. */
    record Unbound(
            Optional<String> site,
            Optional<Double> rank,
            int nodes,
            Map<String, String> environment,
            List<String> files,
            List<UnboundReference> unresolved) {}

    /**
     * A DAG that no site matches.
     *
     * @param site always empty
     * @param sites number of sites that were tried
     */
    record NoSite(Optional<String> site, int sites, List<SiteFinding> explain) {}
}
