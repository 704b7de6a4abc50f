package org.metasched.cli.install;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.metasched.cli.output.Sentence;
import org.metasched.server.Configuration;

/** What the machine itself has to offer: Java, memory, folders and the rights on them. */
final class MachineChecks {

    private static final int NEWEST_TRIED = 25;
    private static final long LEAST_HEAP_MIB = 256;
    private static final long LEAST_DISK_MIB = 1024;

    private final @Nullable Path config;

    MachineChecks(@Nullable Path config) {
        this.config = config;
    }

    Finding java() {
        int feature = Runtime.version().feature();
        String detail = feature + " (" + System.getProperty("java.vendor") + ")";
        return feature <= NEWEST_TRIED
                ? Finding.good("Java", detail)
                : Finding.doubtful(
                        "Java", detail, "Tried with 17 to " + NEWEST_TRIED + "; METASCHED_JAVA chooses another.");
    }

    Finding memory() {
        long most = Runtime.getRuntime().maxMemory() >> 20;
        return most >= LEAST_HEAP_MIB
                ? Finding.good("memory", most + " MiB for the program")
                : Finding.doubtful("memory", most + " MiB for the program", "METASCHED_OPTS=-Xmx1g gives it more.");
    }

    List<Finding> rights(Configuration read) {
        List<Finding> findings = new ArrayList<>();
        findings.add(data(read.data().toAbsolutePath()));
        if (config != null && !read.database().password().isEmpty()) {
            secret(config).ifPresent(findings::add);
        }
        read.listener().security().tls().flatMap(tls -> secret(tls.key())).ifPresent(findings::add);
        return findings;
    }

    private static Finding data(Path folder) {
        Path place = folder;
        while (!Files.exists(place) && place.getParent() != null) {
            place = place.getParent();
        }
        try {
            long free = Files.getFileStore(place).getUsableSpace() >> 20;
            if (!Files.isDirectory(place) || !Files.isWritable(place)) {
                return Finding.wrong(
                        "data folder",
                        place + " cannot be written by " + System.getProperty("user.name"),
                        "Give it to that user, or name another with data: in the configuration.");
            }
            String detail = folder + (place.equals(folder) ? "" : " will be made") + ", " + free + " MiB free";
            return free >= LEAST_DISK_MIB
                    ? Finding.good("data folder", detail)
                    : Finding.doubtful(
                            "data folder",
                            detail,
                            "A full disk stops the server; keep at least " + LEAST_DISK_MIB + " MiB.");
        } catch (IOException e) {
            return Finding.wrong("data folder", Sentence.of(e), "Name another with data: in the configuration.");
        }
    }

    /** A file with a secret that others may read; file systems without such rights are passed over. */
    private static Optional<Finding> secret(Path file) {
        try {
            return Files.getPosixFilePermissions(file).contains(PosixFilePermission.OTHERS_READ)
                    ? Optional.of(Finding.wrong(
                            "rights", file + " holds a secret and everybody may read it", "chmod o-rwx " + file))
                    : Optional.empty();
        } catch (IOException | UnsupportedOperationException e) {
            return Optional.empty();
        }
    }
}
