package org.metasched.cli.output;

/** A port to listen on, 0 for any free one. */
public final class PortNumber {

    private PortNumber() {}

    /** @throws ExitCodeException when there is no such port */
    public static int checked(int port) {
        if (port < 0 || port > 65_535) {
            throw ExitCodeException.badInput("The port (" + port + ") must be from 0 to 65535.");
        }
        return port;
    }
}
