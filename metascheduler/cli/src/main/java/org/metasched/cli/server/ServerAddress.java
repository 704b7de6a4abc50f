package org.metasched.cli.server;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.UnknownHostException;
import org.metasched.cli.output.ExitCodeException;
import org.metasched.cli.output.NumberArgument;
import org.metasched.http.LoopbackAddress;
import picocli.CommandLine.TypeConversionException;

/** Reads the address of a server as people type it: a URL, or {@code HOST:PORT}. */
public final class ServerAddress {

    static final String DEFAULT = "http://127.0.0.1:8080";
    private static final int LAST_PORT = 65_535;

    private ServerAddress() {}

    /** The address in the environment variable METASCHED_SERVER, else this machine at port 8080. */
    public static URI defaultAddress() {
        return read(System.getenv().getOrDefault("METASCHED_SERVER", DEFAULT));
    }

    /**
     * An address of this machine to listen at.
     *
     * @param port TCP port, 0 for any free one
     * @throws ExitCodeException if the host is not known, or there is no such port
     */
    public static InetSocketAddress toListen(String host, int port) {
        try {
            return new InetSocketAddress(InetAddress.getByName(host), NumberArgument.port(port));
        } catch (UnknownHostException e) {
            throw ExitCodeException.badInput("The address (" + host + ") to listen at is not known.");
        }
    }

    /**
     * The base URL, without a slash at its end. In the default, 127.0.0.1 becomes ::1 on a machine without IPv4.
     *
     * @throws TypeConversionException when the text is not an address
     */
    public static URI read(String text) {
        String whole = text.contains("://") ? text : "http://" + text;
        if (whole.equals(DEFAULT)) {
            whole = DEFAULT.replace("127.0.0.1", LoopbackAddress.host());
        }
        try {
            var address = new URI(whole.replaceAll("/+$", ""));
            if (("http".equals(address.getScheme()) || "https".equals(address.getScheme()))
                    && address.getHost() != null
                    && address.getPort() <= LAST_PORT) {
                return address;
            }
        } catch (URISyntaxException e) {
            // Reported below, with the text as it was typed.
        }
        throw new TypeConversionException(
                "(" + text + ")" + (text.equals(System.getenv("METASCHED_SERVER")) ? " of METASCHED_SERVER" : "")
                        + " must be HOST:PORT or a URL that begins with http:// or https://.");
    }
}
