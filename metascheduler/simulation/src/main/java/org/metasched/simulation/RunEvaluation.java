package org.metasched.simulation;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.metasched.simulation.result.RunFigures;
import org.metasched.simulation.result.RunFiles;
import org.metasched.simulation.result.RunRecords;
import org.metasched.simulation.scenario.Scenario;

/**
 * A run with its baseline, its figures and its files.
 *
 * @param baseline records of the sites without meta-jobs; empty if the scenario has or wants none
 */
public record RunEvaluation(Scenario scenario, RunRecords records, Optional<RunRecords> baseline, ObjectNode figures) {

    /**
     * Runs a scenario; before it the baseline, unless the scenario has no meta-jobs or wants none.
     *
     * @param wire connection between the negotiation and the sites
     * @param chooser selector of sites, for policies that choose them
     */
    public static RunEvaluation of(Scenario scenario, SiteWire wire, SiteChooser chooser, RunProgress progress)
            throws InterruptedException {
        Optional<RunRecords> baseline =
                scenario.withBaseline() && !scenario.streams().isEmpty()
                        ? Optional.of(Simulation.run(scenario.withoutMetaJobs(), progress))
                        : Optional.empty();
        RunRecords records = Simulation.run(scenario, wire, chooser, progress);
        return new RunEvaluation(scenario, records, baseline, RunFigures.of(scenario, records, baseline));
    }

    /**
     * Writes the files of the run.
     *
     * @throws IOException when the disk is full or the folder cannot be made
     */
    public void write(Path folder) throws IOException {
        RunFiles.write(folder, scenario, records, baseline, figures);
    }
}
