package org.metasched.adapter.soap;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.metasched.adapter.LocalScheduler;
import org.metasched.trust.Authentication;
import org.metasched.trust.Guard;

/** One local scheduler behind the SOAP site interface, until closed. The scheduler stays its owner's. */
public final class AdapterHost implements AutoCloseable {

    private static final String SERVICE = "Site";

    private final SoapServer server;

    private AdapterHost(SoapServer server) {
        this.server = server;
    }

    /** On the loopback address; port 0 means any free one. */
    public static AdapterHost start(LocalScheduler scheduler, int port) {
        return start(scheduler, SoapServer.onPort(port));
    }

    /**
     * @param authentication what callers must prove; servers among them speak for others
     * @param pages further resources by path, such as {@code /reservations}, each a JSON document made when asked for
     */
    public static AdapterHost start(
            LocalScheduler scheduler,
            InetSocketAddress address,
            Authentication authentication,
            Map<String, Supplier<String>> pages) {
        var server = SoapServer.at(address).authentication(authentication);
        pages.forEach((path, page) -> server.servlet(path, new JsonPage(page)));
        return start(scheduler, server, authentication.guard());
    }

    private static AdapterHost start(LocalScheduler scheduler, SoapServer.Builder server) {
        return start(scheduler, server, Guard.OPEN);
    }

    private static AdapterHost start(LocalScheduler scheduler, SoapServer.Builder server, Guard guard) {
        return new AdapterHost(server.service(SERVICE, new AdapterEndpoint(scheduler, guard))
                .servlet("/health", new Health(scheduler.site().value()))
                .start());
    }

    /** What a {@link RemoteScheduler} is given. */
    public URI endpoint() {
        return server.service(SERVICE);
    }

    /** All that callers may ask for, as policies name it. */
    public Set<String> operations() {
        return server.operations();
    }

    @Override
    public void close() {
        server.close();
    }

    /** Says that the adapter runs. Does not ask the scheduler, so that it may be asked often. */
    private static final class Health extends HttpServlet {

        private static final long serialVersionUID = 1L;
        private final String site;

        Health(String site) {
            this.site = site;
        }

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            response.setContentType("application/json");
            response.getWriter().println("{\"status\":\"up\",\"site\":\"" + site + "\"}");
        }
    }

    /** One JSON document, read only. */
    private static final class JsonPage extends HttpServlet {

        private static final long serialVersionUID = 1L;
        private final transient Supplier<String> page;

        JsonPage(Supplier<String> page) {
            this.page = page;
        }

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            response.setContentType("application/json");
            response.setCharacterEncoding("UTF-8");
            response.getWriter().println(page.get());
        }
    }
}
