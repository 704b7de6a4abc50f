package org.metasched.adapter.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ShellQuotingTest {

    /** In the locale C a JVM passes ASCII only. */
    private static final String NASTY = "aZ0 '\"\\!$`*?[]{}()<>|&;#~=%^,:@+-./"
            + ("UTF-8".equals(System.getProperty("sun.jnu.encoding")) ? "é\u20ac" : "");

    @Test
    void everyShellReadsTheWordsBackAsTheyWere() throws Exception {
        long seed = 20261121;
        var random = new Random(seed);
        var words = new ArrayList<>(List.of("", "-", "--help", "$(touch x)", "a'b", "!!", "\\", "=ls", "~root", "#x"));
        for (int i = 0; i < 200; i++) {
            var word = new StringBuilder();
            for (int n = random.nextInt(12); n > 0; n--) {
                word.append(NASTY.charAt(random.nextInt(NASTY.length())));
            }
            words.add(word.toString());
        }

        for (String shell : List.of("sh", "dash", "bash", "ksh", "zsh", "csh", "tcsh", "fish")) {
            Path program = Path.of("/bin", shell);
            if (Files.isExecutable(program)) {
                assertThat(readBack(program, words))
                        .as("%s, seed %d", shell, seed)
                        .isEqualTo(words);
            }
        }
    }

    private static List<String> readBack(Path shell, List<String> words) throws Exception {
        var process = new ProcessBuilder(shell.toString(), "-c", "/usr/bin/printf '%s\\0' " + ShellQuoting.line(words))
                .redirectErrorStream(true)
                .start();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(out).isZero();
        var read = new ArrayList<>(List.of(out.split("\0", -1)));
        read.remove(read.size() - 1);
        return read;
    }

    @Test
    void refusesControlCharacters() {
        assertThatThrownBy(() -> ShellQuoting.word("a\nrm -rf"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("(a\\u000arm -rf)");
    }
}
