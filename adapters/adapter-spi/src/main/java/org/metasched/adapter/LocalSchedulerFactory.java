package org.metasched.adapter;

import java.time.Clock;

/**
 * Makes a {@link LocalScheduler} from its part of a site's configuration. Found by {@link java.util.ServiceLoader}: to add an adapter, put
 * a jar that names an implementation in {@code META-INF/services} into the adapters folder.
 */
public interface LocalSchedulerFactory {

    /** The name of the adapter under {@code scheduler: type:}, such as {@code slurm}. */
    String type();

    /**
     * Makes the scheduler of a site.
     *
     * @param settings the keys beside {@code type}; a key the adapter does not know is an error
     *     that names the nearest known key
     * @throws InvalidSettingException with file, line and column
     */
    LocalScheduler open(SiteId site, Settings settings, Clock clock);
}
