package org.metasched.store;

import java.sql.ResultSet;
import java.util.Collection;
import java.util.List;
import org.metasched.classad.cycle.AccountantStore;
import org.metasched.classad.cycle.FileAccountantStore;
import org.metasched.classad.cycle.Standing;

/** Standings as one text in the database, for all its servers. */
final class JdbcAccountantStore implements AccountantStore {

    private final Database database;
    private final AccountantStore earlier;

    /** @param earlier whose standings are taken until the first save */
    JdbcAccountantStore(Database database, AccountantStore earlier) {
        this.database = database;
        this.earlier = earlier;
    }

    @Override
    public List<Standing> load() {
        return database.query(connection -> {
            try (var select = connection.prepareStatement("SELECT content FROM book WHERE name = 'accountant'");
                    ResultSet row = select.executeQuery()) {
                return row.next() ? FileAccountantStore.read("accountant", row.getString(1)) : earlier.load();
            }
        });
    }

    @Override
    public void save(Collection<Standing> standings) {
        String text = FileAccountantStore.written(standings);
        database.query(connection -> {
            try (var delete = connection.prepareStatement("DELETE FROM book WHERE name = 'accountant'");
                    var insert =
                            connection.prepareStatement("INSERT INTO book (name, content) VALUES ('accountant', ?)")) {
                delete.executeUpdate();
                insert.setString(1, text);
                return insert.executeUpdate();
            }
        });
    }
}
