package org.metasched.simulation;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.metasched.simulation.result.Figures;
import org.metasched.simulation.result.Records;
import org.metasched.simulation.result.RunFiles;
import org.metasched.simulation.scenario.Scenario;

/** A run with its baseline, its figures and its files. */
public final class Evaluation {

    private final Scenario scenario;
    private final Records records;
    private final Optional<Records> without;
    private final ObjectNode figures;

    private Evaluation(Scenario scenario, Records records, Optional<Records> without) {
        this.scenario = scenario;
        this.records = records;
        this.without = without;
        this.figures = Figures.of(scenario, records, without);
    }

    /**
     * Runs the sites without meta-jobs first, unless the scenario has none or does not want it.
     *
     * @param wire between the negotiation and the sites
     * @param chooser for policies that choose sites
     */
    public static Evaluation of(Scenario scenario, SiteWire wire, SiteChooser chooser, Progress progress)
            throws InterruptedException {
        Optional<Records> without =
                scenario.withBaseline() && !scenario.streams().isEmpty()
                        ? Optional.of(Simulation.run(scenario.withoutMetaJobs(), progress))
                        : Optional.empty();
        return new Evaluation(scenario, Simulation.run(scenario, wire, chooser, progress), without);
    }

    public ObjectNode figures() {
        return figures;
    }

    /** @throws IOException when the disk is full or the folder cannot be made */
    public void write(Path folder) throws IOException {
        RunFiles.write(folder, scenario, records, without, figures);
    }
}
