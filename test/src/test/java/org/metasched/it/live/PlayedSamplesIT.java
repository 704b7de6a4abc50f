package org.metasched.it.live;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.metasched.it.CliProcess;

/** Samples that need no live scheduler. PBS, CCS and EASY are played by {@code test/standins}, which run no jobs. */
@Tag("full")
@Execution(ExecutionMode.CONCURRENT)
class PlayedSamplesIT extends SampleChecks {

    @ParameterizedTest
    @ValueSource(strings = {"simulated", "my-adapter", "http", "pbs", "ccs", "easy"})
    @Execution(ExecutionMode.SAME_THREAD)
    void everySamplePasses(String sample) throws Exception {
        samplePasses(sample);
    }

    /** A scheduler that is not listed cannot be written by it. */
    @ParameterizedTest
    @ValueSource(strings = {"simulated", "pbs"})
    @Execution(ExecutionMode.SAME_THREAD)
    void whatInitWritesPasses(String type) throws Exception {
        writtenByInitPasses(type);
    }

    /** Rules O1 and O2 from the command line; a program that says that it holds something and does not finds them awake. */
    @ParameterizedTest
    @CsvSource({"standin, passed, 0", "true, failed, 1"})
    @Execution(ExecutionMode.SAME_THREAD)
    void aProgramPlaysOthersAndTheOperator(String player, String outcome, int exit) throws Exception {
        standIn("pbs");
        program("others", """
                #!/bin/sh
                cd '%s' && PATH=$PWD/bin:$PATH
                case $1 in
                holdings) echo 'a job on all nodes' ;;
                hold) %2$s job neighbour 8 4 300 && date -u -d '+300 seconds' +%%FT%%TZ ;;
                out) %2$s node "$2" offline && echo "$2" > lost ;;
                leave) [ ! -f lost ] || standin node "$(cat lost)" free ;;
                esac
                """.formatted(folder, player));
        String yaml = "site: here\nscheduler: {type: pbs, lead-time: 1s, snapshot: 2s, run: {path: [" + bin() + "]}}\n";
        Path config = Files.writeString(folder.resolve("site.yaml"), yaml);

        String[] words = {"adapter", "check", "--config", config + "", "--only", "O1,O2", "--others", bin() + "/others"
        };
        var checked = CliProcess.run(folder, Map.of(), words);

        assertThat(checked.out()).as(checked.err()).contains("O1  " + outcome, "O2  " + outcome);
        assertThat(checked.exit()).isEqualTo(exit);
    }
}
