package org.metasched.adapter.ccs;

import java.time.Clock;
import org.metasched.adapter.LocalScheduler;
import org.metasched.adapter.LocalSchedulerFactory;
import org.metasched.adapter.Settings;
import org.metasched.adapter.SiteId;
import org.metasched.adapter.queue.QueueScheduler;
import org.metasched.adapter.settings.YamlSettings;

/** Opens sites of CCS and OpenCCS, {@code scheduler: {type: ccs}}. */
public final class CcsFactory implements LocalSchedulerFactory {

    @Override
    public String type() {
        return "ccs";
    }

    @Override
    public LocalScheduler open(SiteId site, Settings settings, Clock clock) {
        return QueueScheduler.open(site, settings, YamlSettings.resource(CcsFactory.class, "defaults.yaml"), clock);
    }
}
