package org.metasched.cli;

import picocli.CommandLine.IVersionProvider;

/** The version that the build wrote into the jar's manifest. */
final class BuildVersion implements IVersionProvider {

    @Override
    public String[] getVersion() {
        String version = BuildVersion.class.getPackage().getImplementationVersion();
        return new String[] {
            "metasched " + (version == null ? "(development)" : version) + ", Java "
                    + Runtime.version().feature()
        };
    }
}
