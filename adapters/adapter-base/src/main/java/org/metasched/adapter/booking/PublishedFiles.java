package org.metasched.adapter.booking;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.metasched.adapter.DisplayText;
import org.metasched.adapter.LocalSchedulerException;
import org.metasched.adapter.LocalSchedulerException.Misconfigured;
import org.metasched.adapter.LocalSchedulerException.Refused;
import org.metasched.adapter.ReservationId;
import org.metasched.adapter.RuntimeSupport;
import org.metasched.adapter.Settings;
import org.metasched.adapter.SiteId;
import org.metasched.adapter.jobs.SiteJobs;
import org.metasched.durable.AtomicFile;

/**
 * Run-time information as files on the site. Each reservation has a folder under the folder of the setting {@code publish-folder}; its name
 * is the id, with {@code _} in place of characters other than letters, digits, {@code _} and {@code -}. {@code bind} writes the node
 * addresses to the file {@value #BOUND} there. A file appears whole or not at all. Thread-safe.
 */
record PublishedFiles(SiteId site, Path folder, SiteJobs.Reservations reservations) implements RuntimeSupport {

    static final Set<String> KEYS = Set.of("publish-folder");

    private static final String BOUND = "bound-nodes";
    private static final int LONGEST = 1 << 20;
    private static final Set<PosixFilePermission> READABLE = PosixFilePermissions.fromString("rw-r--r--");
    private static final Set<PosixFilePermission> ENTERABLE = PosixFilePermissions.fromString("rwxr-xr-x");
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}");
    private static final Pattern ADDRESS = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9_.:%-]{0,252}");

    static Optional<PublishedFiles> from(SiteId site, Settings settings, SiteJobs.Reservations reservations) {
        return settings.path("publish-folder").map(folder -> {
            settings.refuseIf(!folder.isAbsolute(), "publish-folder", "expected an absolute path, not (%s)", folder);
            return new PublishedFiles(site, folder, reservations);
        });
    }

    @Override
    public void bind(ReservationId id, List<String> nodeAddresses) throws LocalSchedulerException {
        for (String address : nodeAddresses) {
            if (!ADDRESS.matcher(address).matches()) {
                throw new Refused(
                        "The node address (" + DisplayText.of(address) + ") is not a host name or IP address.");
            }
        }
        publish(id, BOUND, String.join("\n", nodeAddresses) + "\n");
    }

    @Override
    public void publish(ReservationId id, String name, String content) throws LocalSchedulerException {
        if (!NAME.matcher(name).matches()) {
            throw new Refused("The file name (" + DisplayText.of(name)
                    + ") must be 1 to 128 letters, digits, '_', '.' or '-', not beginning with '.' or '-'.");
        }
        byte[] bytes = content.getBytes(StandardCharsets.UTF_8);
        if (bytes.length > LONGEST) {
            throw new Refused(
                    "The file " + name + " (" + bytes.length + " bytes) is longer than " + LONGEST + " bytes.");
        }
        if (!reservations.state(id).state().isHeld()) {
            throw new Refused("Site " + site + " publishes nothing for reservation " + id + ": it is over.");
        }
        Path home = folder.resolve(id.value().replaceAll("[^A-Za-z0-9_-]", "_"));
        try {
            Files.createDirectories(home);
            if (home.getFileSystem().supportedFileAttributeViews().contains("posix")) {
                // The umask of a packaged adapter would keep the jobs of users out.
                var permissions = Files.getPosixFilePermissions(home);
                if (permissions.addAll(ENTERABLE)) {
                    Files.setPosixFilePermissions(home, permissions);
                }
            }
            AtomicFile.replace(home.resolve(name), bytes, READABLE);
        } catch (IOException e) {
            throw new Misconfigured("Site " + site + " cannot write " + home.resolve(name) + ": " + e, e);
        }
    }
}
