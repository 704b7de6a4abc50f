package org.metasched.adapter.slurm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.metasched.adapter.command.OutputFormatException;

class HostListTest {

    @Test
    void expandsRangesZerosAndSeveralBrackets() {
        assertThat(HostList.expand("n[1-3,7],login")).containsExactly("n1", "n2", "n3", "n7", "login");
        assertThat(HostList.expand("n[08-11]")).containsExactly("n08", "n09", "n10", "n11");
        assertThat(HostList.expand("r[1-2]n[3-4]-ib")).containsExactly("r1n3-ib", "r1n4-ib", "r2n3-ib", "r2n4-ib");
        assertThat(HostList.expand("single.example.org")).containsExactly("single.example.org");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                ",",
                "n[",
                "n]",
                "n[1",
                "n[1-]",
                "n[-1]",
                "n[3-1]",
                "n[1,]",
                "n[1-2-3]",
                "n[[1]]",
                "a b",
                "a,,b",
                "(null)",
                "n[1-999999999]",
                "n[1-999]m[1-999]",
                "n\u0007",
                "../n",
                "n[x]",
                "-N n1;reboot"
            })
    void refusesWhatIsNoListOfNodes(String text) {
        assertThatThrownBy(() -> HostList.expand(text)).isInstanceOf(OutputFormatException.class);
    }

    @Test
    void neitherHangsNorThrowsAnythingElseOnAnyText() {
        long seed = 5;
        var random = new Random(seed);
        String letters = "n1029[],-. \u0000x";
        for (int round = 0; round < 20_000; round++) {
            var text = new StringBuilder();
            for (int i = random.nextInt(14); i > 0; i--) {
                text.append(letters.charAt(random.nextInt(letters.length())));
            }
            try {
                assertThat(HostList.expand(text.toString()))
                        .as("seed %d, %s", seed, text)
                        .isNotEmpty()
                        .allMatch(name -> name.matches("[A-Za-z0-9_.-]+"));
            } catch (OutputFormatException refused) {
                assertThat(refused).hasMessageNotContaining("\u0000");
            }
        }
    }
}
