package org.metasched.dag;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InheritedVariablesTest {

    @TempDir
    private Path folder;

    @Test
    void theUsualVariablesAndThoseThatTheDagNamesAreHandedOnAndTheBindingWins() throws Exception {
        Path file = Files.writeString(folder.resolve("group.dag"), "JOB A a.sub\nENV GET Proxy Area\n");
        var dag = new DagParser().parse(file).dag();

        var user =
                Map.of("PATH", "/bin", "HOME", "/home/alice", "Proxy", "/tmp/x509", "Area", "/mine", "SECRET", "word");
        var environment =
                InheritedVariables.usual(user).and(dag.environmentPatterns()).with(Map.of("Area", "/site"));

        assertThat(environment)
                .isEqualTo(Map.of("PATH", "/bin", "HOME", "/home/alice", "Proxy", "/tmp/x509", "Area", "/site"));
    }

    @Test
    void envGetTakesPatternsAsCondorsGetenvDoes() throws Exception {
        Path file = Files.writeString(
                folder.resolve("patterns.dag"), "JOB A a.sub\nENV GET proxy;MY_* !MY_SECRET, *_URL !lang\n");
        var dag = new DagParser().parse(file).dag();

        var user = Map.of(
                "PROXY", "/tmp/x509",
                "My_Area", "/mine",
                "MY_SECRET", "word",
                "DATA_URL", "https://data",
                "LANG", "C",
                "HOME", "/home/alice\nline 2",
                "OTHER", "no");
        assertThat(InheritedVariables.usual(user).and(dag.environmentPatterns()).with(Map.of()))
                .isEqualTo(Map.of("PROXY", "/tmp/x509", "My_Area", "/mine", "DATA_URL", "https://data"));
    }
}
