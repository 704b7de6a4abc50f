package org.metasched.cli;

import picocli.CommandLine;

/** Commands of a jar beside the program: it is found as a service, in a checkout only. */
public interface CommandProvider {

    /** @param program has the command {@code gang} already */
    void addTo(CommandLine program);
}
