package org.metasched.cli.demo;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Map;
import java.util.Optional;
import org.metasched.adapter.LocalScheduler;
import org.metasched.adapter.settings.YamlSettings;
import org.metasched.adapter.soap.AdapterHost;
import org.metasched.http.HttpServer;
import org.metasched.http.LoopbackAddress;
import org.metasched.server.ListenerIdentity;
import org.metasched.server.SecuritySettings;
import org.metasched.trust.Authentication.Tls;
import org.metasched.trust.ClientCredentials;
import org.metasched.trust.DemoAuthority;

/** The certificates of a demo over TLS, and the identities of its listeners and callers. */
final class DemoCertificates implements AutoCloseable {

    private final DemoAuthority authority;
    private final Tls server;
    private final Tls user;
    private final ListenerIdentity sites;

    DemoCertificates(Path folder) throws IOException {
        authority = new DemoAuthority(folder, Clock.systemUTC());
        server = authority.member("server");
        user = authority.member("alice");
        sites = ListenerIdentity.open(
                SecuritySettings.read(
                        YamlSettings.parse(
                                "demo", security(authority.member("site"), "server: ['" + name("server") + "']")),
                        false),
                new InetSocketAddress(LoopbackAddress.get(), 0),
                Optional.empty(),
                Clock.systemUTC());
    }

    private static String name(String member) {
        return DemoAuthority.subjectOf(member);
    }

    private String security(Tls own, String roles) {
        return "security: {certificate: '" + own.certificate() + "', key: '" + own.key() + "', authorities: '"
                + authority.directory() + "', anonymous: false, roles: {" + roles + "}}\n";
    }

    /** The server's configuration: alice is its operator, as the demo looks at everything. */
    String configuration() {
        return security(server, "operator: ['" + name("alice") + "']")
                + "client: {certificate: '" + server.certificate() + "', key: '" + server.key() + "', authorities: '"
                + authority.authorities() + "'}\n";
    }

    AdapterHost serve(LocalScheduler scheduler) {
        return AdapterHost.start(scheduler, HttpServer.onPort(0), sites.authentication(), Map.of());
    }

    ClientCredentials server() {
        return caller(server);
    }

    ClientCredentials user() {
        return caller(user);
    }

    private ClientCredentials caller(Tls own) {
        return new ClientCredentials(Optional.of(own), Optional.of(authority.authorities()), Optional.empty());
    }

    String hint() {
        return "Call it with --ca " + authority.authorities() + " --cert " + user.certificate() + " --key "
                + user.key();
    }

    @Override
    public void close() {
        sites.close();
    }
}
