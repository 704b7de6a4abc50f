package org.metasched.submit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.metasched.submit.SubmitStatement.Kind;

/** The statements of a description as written, for programs that write it anew. */
class SubmitStatementTest {

    @Test
    void theTextsOfTheStatementsAreTheDescription() throws IOException, SubmitException {
        try (Stream<Path> files = Files.walk(SharedData.dags().resolve("dags-public"))) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                String text = Files.readString(file, StandardCharsets.ISO_8859_1);

                List<SubmitStatement> statements = text.indexOf('\0') < 0 ? SubmitStatement.all(text, "f") : List.of();

                if (!statements.isEmpty()) {
                    assertThat(statements.stream().map(SubmitStatement::raw).collect(Collectors.joining()))
                            .as(file.toString())
                            .isEqualTo(text);
                }
            }
        }
    }

    @Test
    void aValueIsJoinedOverItsLinesAndKeepsItsPlace() throws SubmitException {
        String text = "# first\nTransfer_Input_Files = a, \\\n  # not this\\\n  b\nqueue";

        List<SubmitStatement> statements = SubmitStatement.all(text, "f");

        assertThat(statements)
                .extracting(SubmitStatement::kind)
                .containsExactly(Kind.COMMENT, Kind.SETTING, Kind.QUEUE);
        SubmitStatement files = statements.get(1);
        assertThat(files.value()).isEqualTo("a, b");
        assertThat(files.line()).isEqualTo(2);
        assertThat(files.raw().substring(files.valueStart())).startsWith(" a, \\\n");
        assertThat(files.sets(Set.of("transfer_input_files"))).isTrue();
        assertThat(statements.get(2).line()).isEqualTo(5);
    }

    @Test
    void linesOfAHereDocumentAndOfItemsAreNoStatements() throws SubmitException {
        String text = "arguments @=end\nqueue = 1\n@end\nqueue x from (\nexecutable = no\n)\nexecutable = yes\n";

        List<SubmitStatement> statements = SubmitStatement.all(text, "f");

        assertThat(statements)
                .extracting(SubmitStatement::kind)
                .containsExactly(
                        Kind.HERE_DOCUMENT, Kind.TEXT, Kind.TEXT, Kind.QUEUE, Kind.TEXT, Kind.TEXT, Kind.SETTING);
    }

    @Test
    void namesTheFilesItReads() throws SubmitException {
        String text = "include : a.sub\n@include ifexist : b.sub\ninclude command : c\ninclude : d |\n"
                + "queue $(N) x,y from [1:] e.txt\nqueue from f |\nqueue in (a b)\ninclude = g\n";

        assertThat(SubmitStatement.all(text, "f").stream()
                        .map(SubmitStatement::file)
                        .filter(name -> !name.isEmpty()))
                .containsExactly("a.sub", "b.sub", "e.txt");
    }
}
