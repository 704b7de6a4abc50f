package org.metasched.adapter.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class OutputTableTest {

    private static final Pattern JOB = Pattern.compile("Job Id: (\\S+)");

    @Test
    void readsRowsUnderTheirNames() {
        var rows = OutputTable.delimited("ID|NODES\n7|4\n8|12\n", "|");

        assertThat(rows).hasSize(2);
        assertThat(rows.get(1).text("ID")).isEqualTo("8");
        assertThat(rows.get(1).number("NODES", 1, 100)).isEqualTo(12);
        assertThat(rows.get(1).line()).isEqualTo(3);
    }

    @Test
    void refusesARowWithAnotherNumberOfColumns() {
        assertThatThrownBy(() -> OutputTable.delimited("ID|NODES\n7\n", "|"))
                .isInstanceOf(OutputFormatException.class)
                .hasMessage("line 2: expected 2 columns [ID, NODES], not 1");
        assertThatThrownBy(() -> OutputTable.blankSeparated("7 4 x\n", 0, List.of("id", "nodes")))
                .isInstanceOf(OutputFormatException.class);
    }

    @Test
    void theLastColumnMayTakeTheRestOfTheLine() {
        var rows = OutputTable.blankSeparated("id name\n7  alice  a b c\n8 bob\n", 1, List.of("id", "user", "*"));

        assertThat(rows).extracting(row -> row.text("*")).containsExactly("a b c", "");
    }

    @Test
    void refusesNumbersOutOfBoundsOrWithAnythingElse() {
        var row = OutputTable.delimited("n\n12x\n", "|").get(0);
        assertThatThrownBy(() -> row.number("n", 0, 100))
                .hasMessage("line 2: n should be a number from 0 to 100, not (12x)");
        var big = OutputTable.delimited("n\n99999999999999999999\n", "|").get(0);
        assertThatThrownBy(() -> big.number("n", 0, 100)).isInstanceOf(OutputFormatException.class);
    }

    @Test
    void refusesControlCharacters() {
        assertThatThrownBy(() -> OutputTable.lines("a\u001b[2Jb\n"))
                .isInstanceOf(OutputFormatException.class)
                .hasMessage("line 1: a control character in (a\\u001b[2Jb)");
    }

    @Test
    void joinsFoldedValuesInBlocks() {
        var blocks = OutputTable.blocks(
                "Job Id: 1.pbs\n    a = x,\n\ty\n    b = 2\n\nJob Id: 2.pbs\n    a = z\n", JOB, "id");

        assertThat(blocks).hasSize(2);
        assertThat(blocks.get(0).text("id")).isEqualTo("1.pbs");
        assertThat(blocks.get(0).text("a")).isEqualTo("x,y");
        assertThat(blocks.get(1).names()).containsExactly("id", "a");
    }

    @Test
    void refusesAKeyThatComesTwiceAndALineThatIsNoPair() {
        assertThatThrownBy(() -> OutputTable.blocks("Job Id: 1\n  a = 1\n  a = 2\n", JOB, "id"))
                .hasMessage("line 3: a comes twice");
        assertThatThrownBy(() -> OutputTable.blocks("Job Id: 1\n  nonsense\n", JOB, "id"))
                .isInstanceOf(OutputFormatException.class);
        assertThatThrownBy(() -> OutputTable.blocks("a = 1\n", JOB, "id")).isInstanceOf(OutputFormatException.class);
    }

    @Test
    void readsWholeJsonOnly() {
        assertThat(JsonOutput.parse("{\"a\": 007, \"b\": \"x\\qy\"}").get("a").asInt())
                .isEqualTo(7);
        for (String bad : List.of("", "7", "{\"a\": 1", "{\"a\": 1} {}", "{\"a\": 1, \"a\": 2}", "[".repeat(100))) {
            assertThatThrownBy(() -> JsonOutput.parse(bad)).as(bad).isInstanceOf(OutputFormatException.class);
        }
    }
}
