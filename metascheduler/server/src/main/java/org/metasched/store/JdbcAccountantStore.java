package org.metasched.store;

import java.util.Collection;
import java.util.List;
import org.metasched.classad.cycle.AccountantStore;
import org.metasched.classad.cycle.FileAccountantStore;
import org.metasched.classad.cycle.SubmitterStanding;

/**
 * Standings as one text in the database, for all its servers.
 *
 * @param earlier store whose standings are taken until the first save
 */
record JdbcAccountantStore(SqlTransactions database, AccountantStore earlier) implements AccountantStore {

    @Override
    public List<SubmitterStanding> load() {
        return database.first(
                        "SELECT content FROM book WHERE name = 'accountant'",
                        row -> FileAccountantStore.read("accountant", row.getString(1)))
                .orElseGet(earlier::load);
    }

    @Override
    public void save(Collection<SubmitterStanding> standings) {
        String text = FileAccountantStore.written(standings);
        database.inTransaction(() -> {
            database.update("DELETE FROM book WHERE name = 'accountant'");
            return database.update("INSERT INTO book (name, content) VALUES ('accountant', ?)", text);
        });
    }
}
