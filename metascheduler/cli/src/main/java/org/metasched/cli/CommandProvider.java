package org.metasched.cli;

import picocli.CommandLine;

/** Provider of further commands, loaded by {@link java.util.ServiceLoader}; only a checkout has one. */
public interface CommandProvider {

    /** Adds its commands to the program, and to {@code gang}, one of the program's commands. */
    void addTo(CommandLine program, CommandLine gang);
}
