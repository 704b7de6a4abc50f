package org.metasched.cli.agreement;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.metasched.adapter.Settings;
import org.metasched.adapter.settings.YamlSettings;
import org.metasched.cli.output.ExitCodeException;
import org.metasched.client.OfferWriter.Stage;
import org.metasched.negotiation.StageTiming;
import org.metasched.negotiation.TemporalConstraint;

/** Reads a workflow: stages, each with its needs, its duration and the stages before it. */
final class WorkflowFile {

    private WorkflowFile() {}

    /**
     * The stages in their order.
     *
     * @throws org.metasched.adapter.InvalidSettingException if the file is no workflow
     */
    static List<Stage> read(Path file) {
        var settings = YamlSettings.read(file);
        settings.allowOnly(Set.of("stages"));
        var stages =
                settings.sections("stages").stream().map(WorkflowFile::stage).toList();
        settings.refuseIf(stages.isEmpty(), "stages", "must have at least one stage");
        var lags = stages.stream().flatMap(stage -> stage.after().stream()).toList();
        settings.refuseIf(
                stages.size() > 1 && lags.isEmpty(),
                "stages",
                "must have an order: at least one stage is after another");
        try {
            StageTiming.of(
                    stages.stream().map(Stage::name).toList(),
                    stages.stream().map(Stage::duration).toList(),
                    lags);
        } catch (IllegalArgumentException e) {
            throw settings.invalid("stages", "cannot be: " + e.getMessage());
        }
        return stages;
    }

    private static Stage stage(Settings stage) {
        stage.allowOnly(Set.of("name", "duration", "site", "need", "after"));
        String name = stage.text("name").orElse("");
        stage.refuseIf(
                !name.matches("[A-Za-z_][A-Za-z0-9_.-]{0,63}"),
                "name",
                "must be of 1 to 64 letters, digits, '_', '.' and '-', and begin with a letter or '_'");
        try {
            var parts = Stream.concat(
                            stage.texts("site").stream().map(SitePart::read),
                            stage.texts("need").stream().flatMap(need -> NeedPart.read(need).stream()))
                    .toList();
            stage.refuseIf(parts.isEmpty(), "need", "is missing: what the stage needs, or at which site");
            var duration = stage.duration("duration")
                    .orElseThrow(() -> stage.invalid("duration", "is missing: how long it takes"));
            var after = new ArrayList<TemporalConstraint>();
            stage.sections("after").forEach(section -> after.add(lag(section, name)));
            return new Stage(name, parts, duration, after);
        } catch (IllegalArgumentException e) {
            throw ExitCodeException.badInput(stage.where() + ": " + e.getMessage());
        }
    }

    private static TemporalConstraint lag(Settings after, String name) {
        after.allowOnly(Set.of("stage", "from", "lag", "within"));
        String from = after.text("from").orElse("end");
        after.refuseIf(!Set.of("start", "end").contains(from), "from", "must be start or end");
        return new TemporalConstraint(
                after.text("stage")
                        .orElseThrow(() -> after.invalid("stage", "is missing: the stage after which this one begins")),
                name,
                from.equals("end"),
                after.duration("lag").orElse(Duration.ZERO),
                after.duration("within"));
    }
}
