package org.metasched.store;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Connection settings of the database.
 *
 * @param url a JDBC URL of H2 ({@code jdbc:h2:file:/var/lib/metasched/db}) or PostgreSQL
 * @param user empty where the URL says it
 * @param password never logged
 * @param connections size of the pool
 */
public record DatabaseSettings(String url, String user, String password, int connections) {

    private static final Logger LOG = LoggerFactory.getLogger(DatabaseSettings.class);

    /**
     * Settings of H2. A connection keeps so many statements prepared: of 8, the usual number, each is made anew each time. What was
     * overwritten stays in the file for milliseconds, 45,000 usually, by which it grows. What goes wrong is thrown, and need not be in a file.
     */
    private static final List<String> H2 = List.of(
            "WRITE_DELAY=2147483647",
            "DB_CLOSE_ON_EXIT=FALSE",
            "QUERY_CACHE_SIZE=100",
            "RETENTION_TIME=10000",
            "TRACE_LEVEL_FILE=0");

    public DatabaseSettings {
        String kind = url.toLowerCase(Locale.ROOT);
        if (!kind.startsWith("jdbc:h2:") && !kind.startsWith("jdbc:postgresql:")) {
            throw new IllegalArgumentException(
                    "The database URL must begin with jdbc:h2: or jdbc:postgresql:, not with "
                            + url.substring(0, Math.min(20, url.length())) + ".");
        }
        if (kind.matches("jdbc:h2:(tcp|ssl):.*|jdbc:h2:.*;auto_server=true.*")) {
            throw new IllegalArgumentException(
                    "An H2 database must be a file that this server has for itself (jdbc:h2:file:...).\n"
                            + "Maybe PostgreSQL is what you want, for a database on another machine.");
        }
        if (connections < 2 || connections > 1000) {
            throw new IllegalArgumentException("The pool of connections (" + connections + ") must be from 2 to 1000.");
        }
    }

    boolean isH2() {
        return url.toLowerCase(Locale.ROOT).startsWith("jdbc:h2:");
    }

    /** The file of H2, if it has one. */
    private Optional<Path> file() {
        var file = url.replaceFirst("(?i)^jdbc:h2:(file:)?", "").replaceFirst(";.*", "");
        return isH2() && !file.matches("(mem|nio\\w*|~).*")
                ? Optional.of(Path.of(file + ".mv.db").toAbsolutePath())
                : Optional.empty();
    }

    private static boolean hasPermissions(Path file) {
        return file.getFileSystem().supportedFileAttributeViews().contains("posix");
    }

    /** Lets no other user of the machine read the file of H2, which makes it as the umask says. */
    void hide() {
        file().filter(file -> hasPermissions(file) && Files.exists(file)).ifPresent(file -> {
            try {
                Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
            } catch (IOException e) {
                LOG.warn("The database ({}) may be readable by others: {}", file, e.toString());
            }
        });
    }

    /** Why the folder of an H2 file can hold none; makes the folder, for this user alone, when it is missing. H2 itself says a page of stack traces. */
    Optional<String> unusableFolder() {
        var file = file();
        if (file.isEmpty()) {
            return Optional.empty();
        }
        Path folder = Optional.ofNullable(file.get().getParent()).orElse(Path.of("/"));
        try {
            if (hasPermissions(folder)) {
                Files.createDirectories(
                        folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
            } else {
                Files.createDirectories(folder);
            }
        } catch (IOException e) {
            return Optional.of("the folder " + folder + " cannot be made");
        }
        return Files.isWritable(folder)
                ? Optional.empty()
                : Optional.of(
                        "the user " + System.getProperty("user.name") + " must not write to the folder " + folder);
    }

    /** Whether H2 would take the file for a new one, though a database begins with more. */
    boolean isEmptied() {
        return file().map(Path::toFile)
                .filter(file -> file.exists() && file.length() == 0)
                .isPresent();
    }

    /**
     * H2 writes when it is told to, see {@link GroupCommit}, and not by itself from time to time. And it closes the whole
     * database when a thread is interrupted in the middle of a write, unless its files are asynchronous channels; and when the process is told
     * to end, beside the server that still drains, unless told to leave that to it.
     */
    String durableUrl() {
        if (!isH2()) {
            return url;
        }
        String durable = url.replaceFirst("(?i)^jdbc:h2:(file:|(?=[./]))", "jdbc:h2:async:");
        String own = url.toUpperCase(Locale.ROOT);
        return H2.stream()
                .filter(setting -> !own.contains(";" + setting.substring(0, setting.indexOf('=') + 1)))
                .collect(Collectors.joining(";", durable + ";", ""));
    }

    /** Says no password. */
    @Override
    public String toString() {
        return url.replaceAll("(?i)(password=)[^&;]*", "$1***");
    }
}
