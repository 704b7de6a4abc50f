package org.metasched.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * While servers are upgraded one after the other, the older ones work on a schema that the newer has migrated: a migration adds what they do
 * not miss and do not have to fill. What is not needed any more is dropped a version later, when {@link #BASE} has moved.
 */
class MigrationsTest {

    /** The newest migration that every server knows which may run beside this one. */
    private static final int BASE = 1;

    private static final Path FOLDER = Path.of("src/main/resources/schema");
    private static final Pattern NAME = Pattern.compile("V(\\d+)__\\w+\\.sql");

    @Test
    void newMigrationsOnlyAdd() throws IOException {
        try (var files = Files.list(FOLDER)) {
            var all = files.toList();
            assertThat(all).isNotEmpty();
            for (var file : all) {
                var name = NAME.matcher(file.getFileName().toString());
                assertThat(name.matches()).as("the name %s", file).isTrue();
                if (Integer.parseInt(name.group(1)) > BASE) {
                    assertThat(objections(Files.readString(file)))
                            .as("statements of %s that an older server cannot stand", file.getFileName())
                            .isEmpty();
                }
            }
        }
    }

    @Test
    void whatAnOlderServerMissesOrDoesNotFillIsSeen() {
        assertThat(objections("-- DROP TABLE in a comment\nCREATE TABLE t (id INTEGER NOT NULL);\nDROP INDEX i;\n"
                        + "ALTER TABLE t ADD COLUMN a TEXT;\nALTER TABLE t ADD COLUMN b INTEGER DEFAULT 1 NOT NULL;"))
                .isEmpty();
        assertThat(objections("drop table t;\nALTER TABLE t DROP COLUMN a;\nALTER TABLE t RENAME COLUMN a TO b;\n"
                        + "ALTER TABLE t ADD COLUMN c INTEGER NOT NULL;\nALTER TABLE t ALTER COLUMN a SET NOT NULL;\n"
                        + "ALTER TABLE t ALTER COLUMN a TYPE BIGINT;\nALTER TABLE t ADD CONSTRAINT u UNIQUE (a);"))
                .hasSize(7);
    }

    private static List<String> objections(String sql) {
        return Stream.of(sql.replaceAll("--[^\\n]*", "").split(";"))
                .map(statement -> statement.strip().replaceAll("\\s+", " ").toUpperCase(Locale.ROOT))
                .filter(MigrationsTest::isObjectionable)
                .toList();
    }

    private static boolean isObjectionable(String statement) {
        boolean drops = statement.startsWith("DROP ") && !statement.startsWith("DROP INDEX");
        boolean changes = statement.startsWith("ALTER ")
                && (statement.contains(" DROP ")
                        || statement.contains(" RENAME ")
                        || statement.contains(" ALTER COLUMN ")
                        || statement.contains(" ADD CONSTRAINT ")
                        || statement.contains("NOT NULL") && !statement.contains(" DEFAULT "));
        return drops || changes;
    }
}
