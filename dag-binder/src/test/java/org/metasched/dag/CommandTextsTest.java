package org.metasched.dag;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.metasched.dag.CommandTexts.CommandText;
import org.metasched.dag.CommandTexts.Kind;
import org.metasched.submit.SharedData;

/** The pieces of a DAG file, for a program that writes it anew. */
class CommandTextsTest {

    private static List<CommandText> pieces(String latin1) throws IOException {
        List<CommandText> pieces = new ArrayList<>();
        try (CommandTexts texts =
                new CommandTexts(new ByteArrayInputStream(latin1.getBytes(StandardCharsets.ISO_8859_1)), 1 << 20)) {
            for (CommandText piece = texts.next(); piece != null; piece = texts.next()) {
                pieces.add(piece);
            }
        }
        return pieces;
    }

    @Test
    void thePiecesAreTheFile() throws IOException {
        try (Stream<Path> files = Files.walk(SharedData.dags().resolve("dags-public"))) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                String text = Files.readString(file, StandardCharsets.ISO_8859_1);

                String together = pieces(text).stream().map(CommandText::text).collect(Collectors.joining());

                assertThat(together).as(file.toString()).isEqualTo(text);
            }
        }
    }

    @Test
    void aPieceHasItsKindItsNodeAndItsLine() throws IOException {
        String text = "# JOB no\n\njob A {\n \nexecutable = x\n# VARS A y=1\n} NOOP\r\nVars A \\\n//\n x=\"1\"\n"
                + "SUBMIT-DESCRIPTION D @=t\nq\n@t\nenv set a=1\nset-job-attr b = 1\nVARS \\";

        assertThat(pieces(text))
                .filteredOn(piece -> piece.kind() != Kind.OTHER)
                .extracting(piece -> piece.kind() + " " + piece.node() + " " + piece.line())
                .containsExactly(
                        "DESCRIPTION A 4", "VARIABLES A 8", "DESCRIPTION D 12", "ENVIRONMENT  14", "JOB_ATTRIBUTE  15");
        assertThat(pieces(text).stream().map(CommandText::text).collect(Collectors.joining()))
                .isEqualTo(text);
    }
}
