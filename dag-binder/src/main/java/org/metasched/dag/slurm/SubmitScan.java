package org.metasched.dag.slurm;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.metasched.dag.DagNode;

/** Which commands a node's submit description uses, and where: in the file, in what it includes, in VARS. */
final class SubmitScan {

    private static final Pattern SETTING = Pattern.compile("[ \\t]*([\\w.+]+)[ \\t]*=(?!=).*");
    private static final Pattern INCLUDE =
            Pattern.compile("(?i)[ \\t]*@?include[ \\t]*(?:ifexist[ \\t]*)?:[ \\t]*(.+?)[ \\t]*");
    private static final int DEEPEST = 8;

    private final Map<String, DagNode.Place> used = new LinkedHashMap<>();

    private SubmitScan() {}

    /** @param directory in which condor_submit would run */
    static Map<String, DagNode.Place> of(DagNode node, Path directory) throws IOException {
        SubmitScan scan = new SubmitScan();
        node.variables().forEach(variable -> scan.note(variable.name(), node.place()));
        if (node.inlineDescription().isPresent()) {
            // Comments and blank lines are gone, so only the node's own line is certain.
            String file = node.place().file();
            int line = node.place().line();
            node.inlineDescription().get().lines().forEach(text -> scan.line(text, new DagNode.Place(file, line)));
        } else {
            scan.file(directory, node.description(), 0);
        }
        return scan.used;
    }

    private void file(Path directory, String name, int depth) throws IOException {
        Path file = directory.resolve(name);
        if (depth > DEEPEST || !Files.isRegularFile(file)) {
            return;
        }
        int number = 0;
        boolean continues = false;
        for (String text : Files.readAllLines(file, StandardCharsets.ISO_8859_1)) {
            number++;
            if (!continues) {
                line(text, new DagNode.Place(name, number));
                Matcher include = INCLUDE.matcher(text);
                if (include.matches()) {
                    file(directory, include.group(1), depth + 1);
                }
            }
            continues = text.stripTrailing().endsWith("\\");
        }
    }

    private void line(String text, DagNode.Place place) {
        Matcher setting = SETTING.matcher(text);
        if (setting.matches()) {
            note(setting.group(1), place);
        }
    }

    /** Underscores and case do not count: {@code RequestMemory} is {@code request_memory}. */
    private void note(String name, DagNode.Place place) {
        used.putIfAbsent(plain(name), place);
    }

    static String plain(String name) {
        return name.toLowerCase(Locale.ROOT).replace("_", "");
    }
}
