package org.metasched.cli;

import picocli.CommandLine;

/** Commands of a jar beside the program: it is found as a service, in a checkout only. */
public interface CommandProvider {

    /** @param gang the command {@code gang} of the program */
    void addTo(CommandLine program, CommandLine gang);
}
