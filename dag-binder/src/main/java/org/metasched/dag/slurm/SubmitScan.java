package org.metasched.dag.slurm;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.metasched.dag.DagNode;
import org.metasched.dag.DagNode.Place;
import org.metasched.submit.SubmitException;
import org.metasched.submit.SubmitStatement;

/** The commands that a node's submit description uses, with their places: in the file, in files that it includes, in VARS. */
final class SubmitScan {

    private static final int DEEPEST = 8;

    private final Map<String, Place> used = new LinkedHashMap<>();

    private SubmitScan() {}

    /** @param directory working directory of condor_submit */
    static Map<String, Place> of(DagNode node, Path directory) throws IOException {
        SubmitScan scan = new SubmitScan();
        node.variables().forEach(variable -> scan.note(variable.name(), node.place()));
        if (node.inlineDescription().isPresent()) {
            // Comments and blank lines are gone, so only the node's own line is certain.
            for (SubmitStatement statement :
                    statements(node.inlineDescription().get(), node.place().file())) {
                scan.note(statement, node.place());
            }
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
        for (SubmitStatement statement : statements(Files.readString(file, StandardCharsets.ISO_8859_1), name)) {
            note(statement, new Place(name, statement.line()));
            if (statement.kind() == SubmitStatement.Kind.KEYWORD
                    && !statement.file().isEmpty()) {
                file(directory, statement.file(), depth + 1);
            }
        }
    }

    /** Statements of a description; a file that is not text has none here and is refused when it is expanded. */
    private static List<SubmitStatement> statements(String description, String name) {
        try {
            return SubmitStatement.all(description, name);
        } catch (SubmitException e) {
            return List.of();
        }
    }

    private void note(SubmitStatement statement, Place place) {
        if (statement.isSetting()) {
            note(statement.name(), place);
        }
    }

    /** Underscores and case do not count: {@code RequestMemory} is {@code request_memory}. */
    private void note(String name, Place place) {
        used.putIfAbsent(plain(name), place);
    }

    static String plain(String name) {
        return name.toLowerCase(Locale.ROOT).replace("_", "");
    }
}
