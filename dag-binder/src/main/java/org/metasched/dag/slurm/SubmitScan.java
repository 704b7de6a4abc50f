package org.metasched.dag.slurm;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.metasched.dag.DagNode;
import org.metasched.dag.DagNode.Place;
import org.metasched.submit.SubmitException;
import org.metasched.submit.SubmitStatement;

/** The commands that a node's submit description uses, with their places: in the file, in files that it includes, in VARS. */
final class SubmitScan {

    private final Map<String, Place> used = new LinkedHashMap<>();
    private final Set<Path> filesRead = new HashSet<>();

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
            scan.file(directory, node.description());
        }
        return scan.used;
    }

    private void file(Path directory, String name) throws IOException {
        Path file = directory.resolve(name);
        if (!filesRead.add(file) || !Files.isRegularFile(file)) {
            return;
        }
        String text = new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
        for (SubmitStatement statement : statements(text, name)) {
            note(statement, new Place(name, statement.line()));
            if (statement.kind() == SubmitStatement.Kind.KEYWORD
                    && !statement.file().isEmpty()) {
                file(directory, statement.file());
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
