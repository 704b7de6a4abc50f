package org.metasched.submit;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Reference data beside the checkout: real files, and what condor's tools said of them. */
public final class SharedData {

    private static final ObjectMapper JSON = new ObjectMapper();

    private SharedData() {}

    /** The folder of DAGs; the test is skipped if it is missing. */
    public static Path dags() {
        Path folder = Path.of(System.getProperty("metasched.shared", "../../shared"), "dag");
        assumeTrue(
                Files.isDirectory(folder),
                "The reference data (" + folder + ") is not at hand; nothing to compare with.");
        return folder;
    }

    /** The folder of the papers' examples; the test is skipped if it is missing. */
    public static Path papers() {
        Path folder = Path.of(System.getProperty("metasched.shared", "../../shared"), "papers");
        assumeTrue(Files.isDirectory(folder), "The papers' examples (" + folder + ") are not at hand.");
        return folder;
    }

    public static List<JsonNode> rows(String file) throws IOException {
        List<JsonNode> rows = new ArrayList<>();
        for (String line : Files.readAllLines(dags().resolve(file))) {
            rows.add(JSON.readTree(line));
        }
        return rows;
    }
}
