package org.metasched.adapter.soap;

import org.metasched.adapter.LocalScheduler;
import org.metasched.adapter.PreviewWindow;

/** Description of a site that an adapter sends with every answer about starts, so that a client need not ask for it. */
record SiteDescription(
        String name,
        PreviewWindow window,
        boolean listsWindows,
        boolean supportsRuntime,
        boolean reportsLoad,
        boolean listsStates,
        boolean runsJobs) {

    static SiteDescription of(LocalScheduler scheduler) {
        return new SiteDescription(
                scheduler.site().value(),
                scheduler.previewWindow(),
                scheduler.windowListing().isPresent(),
                scheduler.runtimeSupport().isPresent(),
                scheduler.loadReporting().isPresent(),
                true,
                scheduler.jobStarter().isPresent());
    }
}
