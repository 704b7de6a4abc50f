package org.metasched.dag.slurm;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.metasched.dag.DagNode;
import org.metasched.dag.DagNodes;
import org.metasched.dag.DagProblem;

/** Features of a DAG that a run on Slurm does not have; some of them the user may waive. Not thread-safe. */
final class UnsupportedFeatures {

    /** Refusals, and warnings, that are kept; further ones are left out. */
    private static final int MOST_LISTED = 1000;

    private final Set<String> waived = new TreeSet<>();
    private final List<DagProblem> refused = new ArrayList<>();
    private final List<String> warnings = new ArrayList<>();
    private final Set<String> withoutEffect = new TreeSet<>();

    /** @param waived names of commands that the user waives, ignoring case, with {@code -} or {@code _} */
    UnsupportedFeatures(Set<String> waived) {
        waived.forEach(name -> this.waived.add(plain(name)));
    }

    private static String plain(String name) {
        return name.strip().toLowerCase(Locale.ROOT).replace('-', '_');
    }

    /** Judges a command of a DAG file. */
    void check(DagNodes.RunnerCommand command) {
        String about = command.subject().isEmpty() ? "" : " (" + command.subject() + ")";
        switch (command.command()) {
            case "SCRIPT HOLD" ->
                refuse(command.place(), "SCRIPT HOLD", "Slurm runs no script when a job is held" + about, "");
            case "SAVE_POINT_FILE" ->
                refuseUnlessWaived(command.place(), "SAVE_POINT_FILE", "There is no condor_dagman to write it" + about);
            // Pictures of the DAG, files for the output of scripts (the node's log has it), and attributes of
            // condor_dagman's job.
            case "SCRIPT DEBUG", "DOT", "SET_JOB_ATTR" -> noteNoEffect(command.command());
            default -> {} // The runner honours it.
        }
    }

    /** Refuses a command without which the DAG would have another result. */
    void refuse(DagNode.Place place, String command, String reason, String hint) {
        if (refused.size() < MOST_LISTED) {
            refused.add(DagProblem.at(place, command, reason, hint));
        }
    }

    /** Refuses a command without which the DAG has the same result; if the user waives it, warns instead that it is left out. */
    void refuseUnlessWaived(DagNode.Place place, String command, String reason) {
        if (!waived.contains(plain(command))) {
            refuse(place, command, reason, "With --without " + plain(command) + " the DAG is run without it.");
        } else if (warnings.size() < MOST_LISTED) {
            warnings.add(place + ": " + command + " is left out.");
        }
    }

    /** Notes a command that is ignored, for a warning to the user. */
    void noteNoEffect(String command) {
        withoutEffect.add(command);
    }

    List<String> warnings() {
        List<String> all = new ArrayList<>(warnings);
        if (!withoutEffect.isEmpty()) {
            all.add("Without effect on Slurm: " + String.join(", ", withoutEffect) + ".");
        }
        return all;
    }

    void throwIfAny() throws UnsupportedFeaturesException {
        if (!refused.isEmpty()) {
            throw new UnsupportedFeaturesException(refused);
        }
    }
}
