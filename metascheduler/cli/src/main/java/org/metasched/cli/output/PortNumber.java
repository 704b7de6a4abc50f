package org.metasched.cli.output;

/** A port to listen on, 0 for any free one. */
public final class PortNumber {

    private PortNumber() {}

    /** @throws ExitCodeException when there is no such port */
    public static int checked(int port) {
        ExitCodeException.badInputIf(port < 0 || port > 65_535, "The port (%s) must be from 0 to 65535.", port);
        return port;
    }
}
