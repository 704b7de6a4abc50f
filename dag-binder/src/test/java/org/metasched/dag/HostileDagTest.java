package org.metasched.dag;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HostileDagTest {

    @TempDir
    Path folder;

    private ParsedDag parse(String text) throws IOException {
        return new DagParser().parse(Files.writeString(folder.resolve("d.dag"), text));
    }

    @Test
    void aLineOfTenMegabytesIsRefusedAndOneOfTwoIsRead() throws IOException {
        ParsedDag long2 = parse("JOB A a.sub\nVARS A x=\"" + "v".repeat(2 << 20) + "\"\n");
        ParsedDag long10 = parse("JOB A a.sub\nVARS A x=\"" + "v".repeat(10 << 20) + "\"\n");
        ParsedDag joined = parse("JOB A a.sub\nVARS A x=\"" + ("v".repeat(1 << 20) + "\\\n").repeat(10) + "\"\n");

        assertThat(long2.isSound()).isTrue();
        assertThat(long10.errors()).singleElement().asString().contains("longer than");
        assertThat(joined.errors()).singleElement().asString().contains("longer than");
    }

    @Tag("full")
    @Test
    void aSpliceBombIsRefused() throws IOException {
        for (int level = 0; level < 10; level++) {
            StringBuilder text = new StringBuilder();
            for (int i = 0; i < 10; i++) {
                text.append(level == 9 ? "JOB n" + i + " n.sub\n" : "SPLICE s" + i + " level" + (level + 1) + ".dag\n");
            }
            Files.writeString(folder.resolve("level" + level + ".dag"), text);
        }

        ParsedDag parsed = new DagParser().parse(folder.resolve("level0.dag"));

        assertThat(parsed.isSound()).isFalse();
        assertThat(parsed.errors()).singleElement().asString().contains("more than 100000 splices");
    }

    @Test
    void aNodeOfANestedSpliceCountsOnce() throws IOException {
        Files.writeString(folder.resolve("inner.dag"), "JOB A a.sub\nJOB B b.sub\nJOB C c.sub\nPARENT A B CHILD C\n");
        Files.writeString(folder.resolve("outer.dag"), "SPLICE inner inner.dag\n");
        Path file = Files.writeString(folder.resolve("whole.dag"), "SPLICE outer outer.dag\n");

        assertThat(new DagParser(new DagLimits(100, 3, 2, 2, 10)).parse(file).errors())
                .isEmpty();
        assertThat(new DagParser(new DagLimits(100, 2, 2, 2, 10)).parse(file).errors())
                .singleElement()
                .asString()
                .contains("more than 2 nodes");
    }

    @Test
    void settingsAreRefusedBeyondTheLimitAndNoneIsDropped() throws IOException {
        Files.writeString(folder.resolve("c.config"), "");
        Path scripts = Files.writeString(
                folder.resolve("scripts.dag"),
                "JOB A a.sub\nSCRIPT HOLD A x.sh\nSCRIPT HOLD A y.sh\nCONFIG c.config\n");
        Path settings = Files.writeString(folder.resolve("settings.dag"), "ENV SET a=1\nENV SET b=2\nENV SET c=3\n");

        assertThat(new DagParser(new DagLimits(100, 3, 2, 2, 1))
                        .parse(scripts)
                        .dag()
                        .helperFiles())
                .containsExactly("x.sh", "y.sh", "c.config");
        assertThat(new DagParser(new DagLimits(100, 2, 2, 2, 10))
                        .parse(settings)
                        .errors())
                .singleElement()
                .asString()
                .startsWith(settings + ":3: The DAG has more than 2 settings of this kind.");
    }

    @Test
    void filesThatContainThemselvesAreRefused() throws IOException {
        Files.writeString(folder.resolve("i.dag"), "INCLUDE d.dag\n");
        Files.writeString(folder.resolve("s.dag"), "SPLICE again s.dag\nJOB A a.sub\n");

        ParsedDag included = parse("INCLUDE i.dag\n");
        ParsedDag spliced = parse("SPLICE S s.dag\n");

        assertThat(included.errors())
                .singleElement()
                .asString()
                .startsWith("i.dag:1:")
                .contains("Recursive file inclusion");
        assertThat(spliced.isSound()).isFalse();
    }

    @Test
    void aChainLongerThanAnyStackIsWalked() throws IOException {
        int nodes = Integer.getInteger("metasched.chain", 100_000);
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < nodes; i++) {
            text.append("JOB n").append(i).append(" n.sub\n");
        }
        for (int i = 1; i < nodes; i++) {
            text.append("PARENT n").append(i - 1).append(" CHILD n").append(i).append('\n');
        }
        String closed = text + "PARENT n" + (nodes - 1) + " CHILD n0\n";

        ParsedDag chain = parse(text.toString());
        ParsedDag ring = parse(closed);

        assertThat(chain.isSound()).isTrue();
        assertThat(chain.dag().edgeCount()).isEqualTo(nodes - 1);
        assertThat(ring.cycle()).hasSize(nodes);
    }

    @Test
    void aCycleIsPrintedAsAPath() throws IOException {
        ParsedDag parsed = parse(
                "JOB a x.sub\nJOB b x.sub\nJOB c x.sub\nJOB d x.sub\nPARENT a CHILD b\nPARENT b CHILD c\nPARENT c CHILD b d\n");

        assertThat(parsed.errors())
                .singleElement()
                .extracting(DagProblem::message)
                .asString()
                .containsAnyOf("b -> c -> b", "c -> b -> c");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            JBO A a.sub                       | 1 | 1 | JOB
            JOB Stage a.sub+PARENT Stag CHILD Stage | 2 | 1 | Stage
            JOB A a.sub+SCRIPT PER A x.sh     | 2 | 8 | PRE
            """)
    void aTypingErrorIsShownWithItsPlaceAndWhatWasMeant(String text, int line, int column, String meant)
            throws IOException {
        ParsedDag parsed = parse(text.replace('+', '\n') + "\n");

        assertThat(parsed.errors()).first().satisfies(problem -> {
            assertThat(problem.line()).isEqualTo(line);
            assertThat(problem.column()).isEqualTo(column);
            assertThat(problem.message()).contains(meant);
        });
    }

    @Test
    void bytesOfAnyKindAreReadOrRefusedButNothingElseHappens() throws IOException {
        long seed = Long.getLong("metasched.seed", 71L);
        var random = new java.util.SplittableRandom(seed);
        String[] words = {
            "JOB ",
            "A ",
            "B ",
            "a.sub ",
            "PARENT ",
            "CHILD ",
            "\\\n",
            "\n",
            "\"",
            "'",
            "{",
            "}\n",
            "@=x\n",
            "@x\n",
            "VARS ",
            "=",
            "SPLICE ",
            "INCLUDE ",
            "d.dag ",
            "SCRIPT ",
            "PRE ",
            "ALL_NODES ",
            "RETRY ",
            "9 ",
            "CONNECT ",
            "PIN_IN ",
            "\u0000",
            "é",
            "\r",
            "#",
            "SUBDAG EXTERNAL "
        };

        for (int i = 0; i < Integer.getInteger("metasched.iterations", 2000); i++) {
            StringBuilder text = new StringBuilder();
            for (int j = random.nextInt(40); j > 0; j--) {
                text.append(words[random.nextInt(words.length)]);
            }
            ParsedDag parsed = parse(text.toString());

            assertThat(parsed.isSound())
                    .as("seed %d, run %d", seed, i)
                    .isEqualTo(parsed.errors().isEmpty());
        }
    }
}
