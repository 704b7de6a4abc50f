package org.metasched.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.metasched.fakes.TestGrid;

/** Statements of an accepted offer at three sites, as H2 counts them. */
class OfferPriceTest {

    private static final int CONNECTIONS = 4;

    /** The look whether the offer was made before, three updates of the journal; inserts of intents, the agreement, its next poll and its events. */
    private static final int STATEMENTS = 8;

    private final Database database =
            Database.open(new DatabaseSettings("jdbc:h2:mem:" + UUID.randomUUID(), "", "", CONNECTIONS));

    @Test
    void anOfferTakesFewStatements() throws Exception {
        try (database;
                var grid = new TestGrid()
                        .site("fzj", 8)
                        .site("scai", 8)
                        .site("cesca", 8)
                        .books(database.books())) {
            var offers = grid.start().service;
            database.update("SET QUERY_STATISTICS TRUE");

            var made = offers.offer(grid.offer("o1", 2, "fzj", "scai", "cesca"));

            assertThat(made.<Boolean, RuntimeException>fold(created -> true, refused -> false))
                    .isTrue();
            var asked = counts();
            assertThat(asked.entrySet().stream()
                            .filter(one -> one.getKey().contains("agreement")
                                    || one.getKey().contains("reservation"))
                            .mapToInt(Map.Entry::getValue)
                            .sum())
                    .as("statements: %s", asked)
                    .isEqualTo(STATEMENTS);
            assertThat(asked).doesNotContainKeys("CHECKPOINT", "ROLLBACK");
        }
    }

    private Map<String, Integer> counts() {
        return database
                .all(
                        "SELECT sql_statement, execution_count FROM information_schema.query_statistics",
                        row -> Map.entry(row.getString(1), row.getInt(2)))
                .stream()
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    /** A change of a setting would drop all statements that connections keep prepared. */
    @Test
    void aBeatAndALookAtTheHealthChangeNoSetting() {
        try (database) {
            // The pool opens its connections in the background, each with its settings.
            await().until(() -> database.first("SELECT COUNT(*) FROM information_schema.sessions", row -> row.getInt(1))
                            .orElseThrow()
                    == CONNECTIONS + SqlTransactions.SPARE);
            database.update("SET QUERY_STATISTICS TRUE");

            database.node().beat();

            assertThat(database.node().answers()).isTrue();
            assertThat(List.copyOf(counts().keySet()))
                    .noneMatch(sql -> sql.startsWith("SET ") && !sql.contains("QUERY_STATISTICS"));
        }
    }
}
