package org.metasched.cli;

import picocli.CommandLine.IVersionProvider;

/** The version that the build wrote into the jar's manifest. */
final class Version implements IVersionProvider {

    @Override
    public String[] getVersion() {
        String version = Version.class.getPackage().getImplementationVersion();
        return new String[] {
            "metasched " + (version == null ? "(development)" : version) + ", Java "
                    + Runtime.version().feature()
        };
    }
}
