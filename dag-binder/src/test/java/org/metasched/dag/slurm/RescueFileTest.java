package org.metasched.dag.slurm;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.metasched.dag.run.RescueState;

class RescueFileTest {

    private static final Clock CLOCK = Clock.fixed(Instant.EPOCH, ZoneOffset.UTC);

    @TempDir
    private Path top;

    @Test
    void anEarlierFileIsReplacedWholeAndNotWrittenInto() throws IOException {
        Path dag = top.resolve("x.dag");
        Path target = Files.writeString(top.resolve("x.dag.rescue001"), "DONE A\n");
        Path earlier = Files.createLink(top.resolve("earlier"), target);

        RescueFile.write(target, dag, CLOCK, 2, new RescueState(List.of("A", "B"), List.of("C"), Map.of()));

        assertThat(RescueFile.doneNodes(target)).containsExactly("A", "B");
        assertThat(RescueFile.failedNodes(target)).containsExactly("C");
        assertThat(RescueFile.doneNodes(earlier)).containsExactly("A");
    }

    @Test
    void aNameWithBlanksIsReadAsItWasWritten() throws IOException {
        Path target = top.resolve("x.dag.rescue001");
        var state = new RescueState(List.of("\"A  B\"", "C"), List.of("'D E'", "F"), Map.of());

        RescueFile.write(target, top.resolve("x.dag"), CLOCK, 4, state);

        assertThat(RescueFile.doneNodes(target)).containsExactly("\"A  B\"", "C");
        assertThat(RescueFile.failedNodes(target)).containsExactly("'D E'", "F");
    }

    @Test
    void aNameThatIsNotUtf8IsReadAsInTheDag() throws IOException {
        byte[] latin1 = "DONE gr\u00fcn\n".getBytes(StandardCharsets.ISO_8859_1);

        assertThat(RescueFile.doneNodes(Files.write(top.resolve("x.dag.rescue001"), latin1)))
                .containsExactly("gr\ufffdn");
    }
}
