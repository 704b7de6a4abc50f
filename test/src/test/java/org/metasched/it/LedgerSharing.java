package org.metasched.it;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/** How the folder of a ledger lets users in. */
enum LedgerSharing {
    ALL("rwxrwxrwx", 0, "0"),
    GROUP("rwxrwx---", 02000, "007"),
    /** Each may replace only files of his own. */
    STICKY("rwxrwxrwx", 01000, "0");

    /** Of all users. */
    static final int GROUP_OF_ALL = 20_000;

    private final String permissions;
    private final int special;
    private final String umask;

    LedgerSharing(String permissions, int special, String umask) {
        this.permissions = permissions;
        this.special = special;
        this.umask = umask;
    }

    void open(Path ledger) throws IOException {
        Files.setPosixFilePermissions(ledger, PosixFilePermissions.fromString(permissions));
        if (this == GROUP) {
            Files.setAttribute(ledger, "unix:gid", GROUP_OF_ALL);
        }
        Files.setAttribute(ledger, "unix:mode", (Integer) Files.getAttribute(ledger, "unix:mode") | special);
    }

    String umask() {
        return umask;
    }
}
