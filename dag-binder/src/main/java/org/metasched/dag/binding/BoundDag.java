package org.metasched.dag.binding;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * A DAG bound to a site.
 *
 * @param match the job ad and the site ad
 * @param record what was written about it
 * @param directory where the bound DAG is; empty if nothing was to be written
 * @param warnings what its author should know
 */
public record BoundDag(SiteMatch match, BindingRecord record, Optional<Path> directory, List<String> warnings) {

    public BoundDag {
        warnings = List.copyOf(warnings);
    }
}
