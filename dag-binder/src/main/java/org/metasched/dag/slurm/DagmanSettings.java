package org.metasched.dag.slurm;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.metasched.dag.DagNode;
import org.metasched.dag.run.RunOptions;
import org.metasched.submit.SubmitException;
import org.metasched.submit.SubmitLines;

/** Settings of condor_dagman in its configuration files, as far as a run follows them. Not thread-safe. */
final class DagmanSettings {

    private static final int MOST_CHARACTERS = 65_536;
    private static final Pattern SETTING = Pattern.compile("(?i)(?:DAGMAN\\.)?(\\w+)\\s*=\\s*(.*?)\\s*");
    private static final Pattern NUMBER = Pattern.compile("\\d{1,9}");
    private static final Pattern TRUTH = Pattern.compile("true|false|t|f|yes|no|[01]");

    private final Map<String, String> values = new HashMap<>();

    /** Reads a file; its settings override those read before. */
    void read(Path file, DagNode.Place namedAt, UnsupportedFeatures unsupported) throws IOException {
        if (!Files.isRegularFile(file)) {
            unsupported.refuse(namedAt, "CONFIG", "The configuration file (" + file + ") is not there", "");
            return;
        }
        var lines = new SubmitLines(SubmitLines.read(file), file.toString(), MOST_CHARACTERS);
        try {
            for (String line = lines.next(); line != null; line = lines.next()) {
                if (!line.isEmpty() && !line.startsWith("#")) {
                    setting(line, new DagNode.Place(file.toString(), lines.line()), unsupported);
                }
            }
        } catch (SubmitException e) {
            unsupported.refuse(new DagNode.Place(e.file(), e.line()), "CONFIG", e.reason(), "");
        }
    }

    private void setting(String line, DagNode.Place place, UnsupportedFeatures unsupported) {
        Matcher setting = SETTING.matcher(line);
        if (!setting.matches()) {
            unsupported.refuse(place, "CONFIG", "Only NAME = VALUE is read, not (" + line + ")", "");
            return;
        }
        String name = setting.group(1).toUpperCase(Locale.ROOT);
        String value = setting.group(2).toLowerCase(Locale.ROOT);
        var known = SubmitCommandTable.setting(name);
        if (known.isEmpty()) {
            unsupported.noteNoEffect(name);
        } else if (known.get().kind() == SubmitCommandTable.Kind.SUPPORTED) {
            String kind = known.get().valueKind();
            if ((kind.equals("number") ? NUMBER : TRUTH).matcher(value).matches()) {
                values.put(name, value);
            } else {
                unsupported.refuse(place, name, "Its value (" + value + ") must be a " + kind, "");
            }
        } else {
            String plain = value.replaceFirst("^(t|yes|1)$", "true").replaceFirst("^(f|no|0)$", "false");
            if (!known.get().defaultValue().equals(plain)) {
                unsupported.refuseUnlessWaived(place, name, known.get().reason());
            }
        }
    }

    int number(String name, int usual) {
        return Integer.parseInt(values.getOrDefault(name, Integer.toString(usual)));
    }

    boolean isTrue(String name, boolean usual) {
        return values.containsKey(name) ? values.get(name).matches("t.*|y.*|1") : usual;
    }

    /** The options of the command, overridden by the settings; but {@code --maxjobs} overrides them, as condor's manual has it. */
    RunOptions options(RunOptions given) {
        return new RunOptions(
                isTrue("DAGMAN_ALWAYS_RUN_POST", given.alwaysRunPost()),
                number("DAGMAN_NODE_JOB_FAILURE_TOLERANCE", given.tolerance()),
                given.maxJobs() > 0 ? given.maxJobs() : number("DAGMAN_MAX_JOBS_SUBMITTED", 0),
                isTrue("DAGMAN_SUBMIT_DEPTH_FIRST", given.depthFirst()),
                isTrue("DAGMAN_RETRY_NODE_FIRST", given.retryNodeFirst()),
                given.resetRetries());
    }
}
