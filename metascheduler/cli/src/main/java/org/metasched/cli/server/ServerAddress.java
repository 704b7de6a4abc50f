package org.metasched.cli.server;

import java.net.URI;
import java.net.URISyntaxException;
import org.metasched.http.LoopbackAddress;
import picocli.CommandLine.TypeConversionException;

/** Reads the address of a server as people type it: a URL, or {@code HOST:PORT}. */
public final class ServerAddress {

    private static final String USUAL = "http://127.0.0.1:8080";
    private static final int LAST_PORT = 65_535;

    private ServerAddress() {}

    /** That of the environment variable METASCHED_SERVER, else this machine's. */
    public static URI usual() {
        return read(System.getenv().getOrDefault("METASCHED_SERVER", USUAL));
    }

    /**
     * The base URL, without a slash at its end.
     *
     * @throws TypeConversionException when it is no address
     */
    public static URI read(String text) {
        String whole = text.contains("://") ? text : "http://" + text;
        if (whole.equals(USUAL)) {
            whole = USUAL.replace("127.0.0.1", LoopbackAddress.host());
        }
        try {
            var address = new URI(whole.replaceAll("/+$", ""));
            if (("http".equals(address.getScheme()) || "https".equals(address.getScheme()))
                    && address.getHost() != null
                    && address.getPort() <= LAST_PORT) {
                return address;
            }
        } catch (URISyntaxException e) {
            // said below, in the words of the one who typed it
        }
        throw new TypeConversionException(
                "(" + text + ") must be HOST:PORT or a URL that begins with http:// or https://.");
    }
}
