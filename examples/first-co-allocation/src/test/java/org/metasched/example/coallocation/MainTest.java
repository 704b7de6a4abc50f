package org.metasched.example.coallocation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class MainTest {

    @Test
    void printsTheRoundsAndNamesTheSiteThatIsFull() throws Exception {
        var said = new ByteArrayOutputStream();

        new Main(new PrintStream(said, true, StandardCharsets.UTF_8)).run();

        assertThat(said.toString(StandardCharsets.UTF_8).lines())
                .containsExactly(
                        "round 1, from Mon 08:00: lausanne Mon 10:00, uppsala Mon 11:00, brno Mon 08:00",
                        "round 2, from Mon 11:00: lausanne Mon 11:00, brno Mon 13:30",
                        "round 3, from Mon 13:30: lausanne Mon 13:30, uppsala Mon 15:00",
                        "round 4, from Mon 15:00: lausanne Mon 15:00, brno Mon 15:00",
                        "Reserved at Mon 15:00: [lausanne/R2.lausanne, uppsala/R3.uppsala, brno/R2.brno]",
                        "The next day other users have all of brno.",
                        "round 1, from Tue 08:00: lausanne Tue 08:00, uppsala Tue 08:00, brno Wed 20:00",
                        "No common slot that starts by Tue 18:00, because of brno.");
    }
}
