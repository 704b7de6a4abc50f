package org.metasched.soap;

import java.net.URI;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.metasched.fakes.TestGrid;
import org.metasched.http.PublicAddress;
import org.metasched.trust.Authentication;
import org.metasched.trust.DemoAuthority;

/** A responder behind a proxy that ends TLS, known under a path of its host. */
final class ProxiedServer implements AutoCloseable {

    final URI address;
    final WsagServer server;

    /** Certificate of the proxy's authority, as PEM. */
    final Path authority;

    private final TlsTerminator proxy;

    /** @param folder for the files of the authority */
    ProxiedServer(Path folder) throws Exception {
        var demo = new DemoAuthority(folder, Clock.systemUTC());
        authority = demo.authorities();
        proxy = new TlsTerminator(demo.member("server"));
        address = URI.create(proxy.address() + "/grid/of.all");
        server = new WsagServer(
                new TestGrid().site("fzj", 64).site("scai", 32),
                Authentication.NONE,
                new PublicAddress(Optional.of(address), List.of(), Set.of()));
        proxy.inFrontOf(server.server.base().getPort());
    }

    @Override
    public void close() throws Exception {
        proxy.close();
        server.close();
    }
}
