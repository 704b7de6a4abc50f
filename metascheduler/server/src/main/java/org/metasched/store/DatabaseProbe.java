package org.metasched.store;

import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Optional;
import java.util.Properties;

/**
 * A look at a database before a server uses it: connects, and neither migrates nor locks anything.
 *
 * @param detail  product and version, or where it was looked for
 * @param trouble why it cannot be used
 */
public record DatabaseProbe(String detail, Optional<String> trouble) {

    private static final int OLDEST_POSTGRESQL = 15;
    private static final int H2_IN_USE = 90020;

    public static DatabaseProbe of(DatabaseSettings settings) {
        var login = new Properties();
        if (!settings.user().isEmpty()) {
            login.setProperty("user", settings.user());
            login.setProperty("password", settings.password());
        }
        String url = settings.isH2() ? settings.durableUrl() + ";IFEXISTS=TRUE" : settings.url();
        try (var connection = DriverManager.getConnection(url, login)) {
            var about = connection.getMetaData();
            String detail =
                    about.getDatabaseProductName() + " " + about.getDatabaseProductVersion() + " at " + settings;
            boolean old = !settings.isH2() && about.getDatabaseMajorVersion() < OLDEST_POSTGRESQL;
            return new DatabaseProbe(
                    detail,
                    old ? Optional.of("PostgreSQL " + OLDEST_POSTGRESQL + " or newer is needed") : Optional.empty());
        } catch (SQLException e) {
            return settings.isH2()
                    ? embedded(settings, e)
                    : new DatabaseProbe(settings.toString(), Optional.of(String.valueOf(e.getMessage())));
        }
    }

    private static DatabaseProbe embedded(DatabaseSettings settings, SQLException problem) {
        if (problem.getErrorCode() == H2_IN_USE) {
            return new DatabaseProbe("the embedded one, in use by a running server", Optional.empty());
        }
        boolean absent = String.valueOf(problem.getMessage()).contains("not found");
        return absent
                ? new DatabaseProbe("the embedded one, made at the first start", Optional.empty())
                : new DatabaseProbe(settings.toString(), Optional.of(String.valueOf(problem.getMessage())));
    }
}
