package org.metasched.adapter.easy;

import java.time.Clock;
import org.metasched.adapter.LocalScheduler;
import org.metasched.adapter.LocalSchedulerFactory;
import org.metasched.adapter.Settings;
import org.metasched.adapter.SiteId;
import org.metasched.adapter.queue.QueueScheduler;
import org.metasched.adapter.settings.YamlSettings;

/** Opens sites of EASY on LoadLeveler, {@code scheduler: {type: easy}}. */
public final class EasyFactory implements LocalSchedulerFactory {

    @Override
    public String type() {
        return "easy";
    }

    @Override
    public LocalScheduler open(SiteId site, Settings settings, Clock clock) {
        return QueueScheduler.open(site, settings, YamlSettings.resource(EasyFactory.class, "defaults.yaml"), clock);
    }
}
