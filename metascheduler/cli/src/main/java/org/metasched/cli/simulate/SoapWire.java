package org.metasched.cli.simulate;

import java.util.ArrayList;
import java.util.List;
import org.metasched.adapter.LocalScheduler;
import org.metasched.adapter.simulated.SimulatedScheduler;
import org.metasched.adapter.soap.AdapterHost;
import org.metasched.adapter.soap.RemoteScheduler;
import org.metasched.simulation.SiteWire;

/** The product's SOAP wire on loopback, a server and a client for each site, until it is closed. For one thread. */
final class SoapWire implements SiteWire, AutoCloseable {

    private final List<AdapterHost> hosts = new ArrayList<>();

    @Override
    public LocalScheduler to(SimulatedScheduler site) {
        var host = AdapterHost.start(site, 0);
        hosts.add(host);
        return RemoteScheduler.at(site.site(), host.endpoint());
    }

    @Override
    public void close() {
        hosts.forEach(AdapterHost::close);
    }
}
