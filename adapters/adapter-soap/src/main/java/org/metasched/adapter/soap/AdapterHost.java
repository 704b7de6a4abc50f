package org.metasched.adapter.soap;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URI;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.metasched.adapter.LocalScheduler;
import org.metasched.http.HttpServer;
import org.metasched.trust.Authentication;

/** One local scheduler behind the SOAP site interface, until closed. The caller closes the scheduler. */
public final class AdapterHost implements AutoCloseable {

    private static final String SERVICE = "Site";

    private final SoapServer server;

    private AdapterHost(SoapServer server) {
        this.server = server;
    }

    /** Serves a scheduler on the loopback address; port 0 means any free one. */
    public static AdapterHost start(LocalScheduler scheduler, int port) {
        return start(scheduler, HttpServer.onPort(port), Authentication.NONE, Map.of());
    }

    /**
     * Serves a scheduler.
     *
     * @param http server whose address and names are chosen
     * @param authentication proof required of callers; its authorizer decides which of them may act for others
     * @param pages further resources by path, such as {@code /reservations}, each a JSON document made when asked for
     */
    public static AdapterHost start(
            LocalScheduler scheduler,
            HttpServer.Builder http,
            Authentication authentication,
            Map<String, Supplier<String>> pages) {
        var server = SoapServer.on(http).authentication(authentication);
        pages.forEach((path, page) -> server.servlet(path, new JsonPage("application/json;charset=UTF-8", page)));
        String up = "{\"status\":\"up\",\"site\":\"" + scheduler.site().value() + "\"}";
        // The page does not ask the scheduler, so that it may be read often.
        return new AdapterHost(server.service(SERVICE, new AdapterEndpoint(scheduler, authentication.guard()))
                .servlet("/health", new JsonPage("application/json", () -> up))
                .start());
    }

    /** The address for a {@link RemoteScheduler}. */
    public URI endpoint() {
        return server.service(SERVICE);
    }

    /** The operations that callers may ask for, by the names that policies use. */
    public Set<String> operations() {
        return server.operations();
    }

    @Override
    public void close() {
        server.close();
    }

    /** One JSON document, read only. */
    private static final class JsonPage extends HttpServlet {

        private final String type;
        private final transient Supplier<String> page;

        JsonPage(String type, Supplier<String> page) {
            this.type = type;
            this.page = page;
        }

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            response.setContentType(type);
            response.getWriter().println(page.get());
        }
    }
}
