package org.metasched.store;

import java.io.File;
import java.util.Locale;

/**
 * Where the database is.
 *
 * @param url a JDBC URL of H2 ({@code jdbc:h2:file:/var/lib/metasched/db}) or PostgreSQL
 * @param user empty where the URL says it
 * @param password never logged
 * @param connections size of the pool
 */
public record DatabaseSettings(String url, String user, String password, int connections) {

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

    /** Whether H2 would take the file for a new one, though a database begins with more. */
    boolean isEmptied() {
        var file = new File(url.replaceFirst("(?i)^jdbc:h2:(file:)?", "").replaceFirst(";.*", "") + ".mv.db");
        return isH2() && file.exists() && file.length() == 0;
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
        return with(
                with(
                        with(with(durable, "WRITE_DELAY", "2147483647"), "DB_CLOSE_ON_EXIT", "FALSE"),
                        // Statements that a connection keeps prepared: of 8, its usual number, each is made anew each
                        // time.
                        "QUERY_CACHE_SIZE",
                        "100"),
                // Milliseconds for which what was overwritten stays in the file, which grows by it: 45 s usually. See
                // Node.
                "RETENTION_TIME",
                "10000");
    }

    private static String with(String url, String option, String value) {
        return url.toUpperCase(Locale.ROOT).contains(";" + option + "=") ? url : url + ";" + option + "=" + value;
    }

    /** Says no password. */
    @Override
    public String toString() {
        return url.replaceAll("(?i)(password=)[^&;]*", "$1***");
    }
}
