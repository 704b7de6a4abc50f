package org.metasched.publisher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SequenceNumbersTest {

    @TempDir
    private Path directory;

    @Test
    void growWithinOneSecond() throws Exception {
        var numbers = numbersAt("2026-01-05T08:00:00Z");

        long first = numbers.next();
        long second = numbers.next();

        assertThat(first).isEqualTo(Instant.parse("2026-01-05T08:00:00Z").getEpochSecond());
        assertThat(second).isEqualTo(first + 1);
    }

    @Test
    void growAcrossARestartWithTheClockSetBack() throws Exception {
        long before = numbersAt("2026-01-05T08:00:00Z").next();

        long after = numbersAt("2026-01-04T08:00:00Z").next();

        assertThat(after).isGreaterThan(before);
    }

    @Test
    void oneRunOfOneAdUsesOneNumber() throws Exception {
        Clock clock = Clock.fixed(Instant.parse("2026-01-05T08:00:00Z"), ZoneOffset.UTC);
        long first =
                SequenceNumbers.oneByOne(directory.resolve("sequence"), clock).next();
        long second =
                SequenceNumbers.oneByOne(directory.resolve("sequence"), clock).next();
        assertThat(second).isEqualTo(first + 1);

        Files.delete(directory.resolve("sequence"));

        assertThat(numbersAt("2026-01-05T08:00:02Z").next()).isGreaterThan(second);
    }

    @Test
    void aFileThatHoldsSomethingElseIsNamed() throws Exception {
        Files.writeString(directory.resolve("sequence"), "yesterday");

        assertThatThrownBy(() -> numbersAt("2026-01-05T08:00:00Z"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("sequence:1:1")
                .hasMessageContaining("yesterday");
    }

    private SequenceNumbers numbersAt(String instant) throws IOException {
        return new SequenceNumbers(directory.resolve("sequence"), Clock.fixed(Instant.parse(instant), ZoneOffset.UTC));
    }
}
