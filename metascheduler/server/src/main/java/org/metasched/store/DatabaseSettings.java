package org.metasched.store;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Clock;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.stream.Collectors;
import org.metasched.negotiation.StoreUnavailableException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Connection settings of the database.
 *
 * @param url a JDBC URL of H2 ({@code jdbc:h2:file:/var/lib/metasched/db}) or PostgreSQL
 * @param user name of the user; empty where the URL has it
 * @param password never logged
 * @param connections size of the pool
 */
public record DatabaseSettings(String url, String user, String password, int connections) {

    private static final Logger LOG = LoggerFactory.getLogger(DatabaseSettings.class);

    /**
     * Settings of H2. {@code QUERY_CACHE_SIZE}: prepared statements that a connection keeps; the usual 8 are too few for ours. {@code
     * RETENTION_TIME}: milliseconds for which overwritten data stays in the file, usually 45,000. {@code TRACE_LEVEL_FILE}: no file of errors.
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

    /** The clock of a server with this database: its machine's, which nothing else can correct where no other server uses the database. */
    public Clock clock(Clock machine) {
        return isH2() ? new StepoutClock(machine, System::nanoTime) : machine;
    }

    boolean isH2() {
        return url.toLowerCase(Locale.ROOT).startsWith("jdbc:h2:");
    }

    /** The file of H2, if it has one. */
    private Optional<Path> file() {
        var named = url.replaceFirst("(?i)^jdbc:h2:(file:)?", "").replaceFirst(";.*", "");
        var file = named.startsWith("~") ? System.getProperty("user.home") + named.substring(1) : named;
        // A word before a colon names another file system of H2, such as mem; one letter is a drive.
        return isH2() && !file.matches("\\w{2,}:.*")
                ? Optional.of(Path.of(file + ".mv.db").toAbsolutePath())
                : Optional.empty();
    }

    private static boolean hasPermissions(Path file) {
        return file.getFileSystem().supportedFileAttributeViews().contains("posix");
    }

    /** Makes the file of H2 unreadable for other users of the machine, as H2 creates it by the umask. */
    void hide() {
        file().filter(file -> hasPermissions(file) && Files.exists(file)).ifPresent(file -> {
            try {
                Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
            } catch (IOException e) {
                LOG.warn("The database ({}) may be readable by others: {}", file, e.toString());
            }
        });
    }

    /** Makes the folder of an H2 file, for this user alone, if it is missing. Returns the reason why it can hold no file, as H2 itself gives none. */
    Optional<String> makeFolder() {
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

    /** Whether the file of H2 exists and is empty: H2 would begin a new database in it. */
    boolean isEmptied() {
        return file().map(Path::toFile)
                .filter(file -> file.exists() && file.length() == 0)
                .isPresent();
    }

    /**
     * The URL with settings by which H2 writes only when it is told to, see {@link GroupCommit}, and stays open while the server drains. Without
     * asynchronous channels, H2 would close the whole database when a thread is interrupted in the middle of a write.
     */
    String durableUrl() {
        if (!isH2()) {
            return url;
        }
        String durable = url.replaceFirst("(?i)^jdbc:h2:(file:|(?=[./~]))", "jdbc:h2:async:");
        String own = url.toUpperCase(Locale.ROOT);
        return H2.stream()
                .filter(setting -> !own.contains(";" + setting.substring(0, setting.indexOf('=') + 1)))
                .collect(Collectors.joining(";", durable + ";", ""));
    }

    /**
     * Signs in to PostgreSQL once, and changes nothing.
     *
     * @return its version; empty for H2, whose file a running server has for itself
     * @throws StoreUnavailableException if that fails, or takes more than ten seconds
     */
    public Optional<String> signIn() {
        if (isH2()) {
            return Optional.empty();
        }
        var login = new Properties();
        login.put("loginTimeout", "10");
        login.putAll(user.isEmpty() ? Map.of() : Map.of("user", user, "password", password));
        try (var connection = DriverManager.getConnection(url, login)) {
            return Optional.of("PostgreSQL " + connection.getMetaData().getDatabaseProductVersion());
        } catch (SQLException e) {
            String reason = String.valueOf(e.getMessage()).replace(url, toString());
            throw new StoreUnavailableException("The database " + this + " cannot be used: " + reason, e);
        }
    }

    /** The URL without its password. */
    @Override
    public String toString() {
        return url.replaceAll("(?i)(password=)[^&;]*", "$1***");
    }
}
