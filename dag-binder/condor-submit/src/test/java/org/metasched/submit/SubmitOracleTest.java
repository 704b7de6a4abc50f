package org.metasched.submit;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every public submit file and every probe, against condor_submit -dry-run, attribute by attribute. */
class SubmitOracleTest {

    /** Sizes depend on files that are not part of the data, or on those of the machine. */
    private static final Set<String> OF_THE_MACHINE =
            Set.of("ExecutableSize", "ImageSize", "DiskUsage", "TransferInputSizeMB", "QDate");

    private static final Map<String, String> ENVIRONMENT = Map.of(
            "HOME", "/home/alice",
            "USER", "alice",
            "PATH", "/usr/bin:/bin",
            "LANG", "C.UTF-8",
            "TZ", "UTC",
            "SiteName", "uw-hep",
            "SiteGatekeeperURL", "dill.hep.wisc.edu:/jobmanager-condor",
            "SiteVDTLocation", "/dpe",
            "SiteWorkingArea", "/scratch/work",
            "SiteExportDir", "/scratch/export");

    @TempDir
    Path directory;

    @Test
    void probesOfOneFeatureMakeTheSameAds() throws IOException {
        Files.writeString(directory.resolve("inc.sub"), "INCVAR = fromfile\n+Inc = 1\n");
        Files.writeString(directory.resolve("list.txt"), "x1, 1\nx2 2\n\nx3 3 extra\n");
        Files.writeString(directory.resolve("f1.dat"), "");
        Files.writeString(directory.resolve("f2.dat"), "");
        Files.createDirectories(directory.resolve("d1"));
        List<String> differences = new ArrayList<>();

        for (JsonNode row : SharedData.rows("oracle-probes-submit.jsonl")) {
            Files.writeString(directory.resolve("p.sub"), row.get("submit").asText());
            compare(row.get("submit").asText(), directory, "p.sub", row, false, differences);
        }

        assertThat(differences).isEmpty();
    }

    @Test
    void realFilesMakeTheSameAds() throws IOException {
        Path files = SharedData.dags().resolve("dags-public");
        List<JsonNode> rows = SharedData.rows("oracle-submit-public.jsonl");
        Map<Path, Set<String>> placeholders = new HashMap<>();
        for (JsonNode row : rows) {
            Set<String> names = placeholders.computeIfAbsent(folder(files, row), key -> new TreeSet<>());
            row.path("placeholders").forEach(name -> names.add(name.asText()));
        }
        Map<Path, Path> copies = new HashMap<>();
        List<String> differences = new ArrayList<>();

        for (JsonNode row : rows) {
            Path folder = folder(files, row);
            Path copy = copies.get(folder);
            if (copy == null) {
                copy = copy(folder, placeholders.getOrDefault(folder, Set.of()), copies.size());
                copies.put(folder, copy);
            }
            String name = Path.of(row.get("file").asText()).getFileName().toString();
            compare(row.get("file").asText(), copy, name, row, true, differences);
        }

        assertThat(differences).isEmpty();
    }

    private static Path folder(Path files, JsonNode row) {
        return files.resolve(row.get("file").asText()).resolveSibling("").normalize();
    }

    private Path copy(Path folder, Set<String> placeholders, int number) throws IOException {
        Path copy = directory.resolve("copy" + number);
        try (Stream<Path> walk = Files.walk(folder, 3)) {
            for (Path source : (Iterable<Path>) walk::iterator) {
                Path target = copy.resolve(folder.relativize(source).toString());
                if (Files.isDirectory(source)) {
                    Files.createDirectories(target);
                } else {
                    Files.copy(source, target, StandardCopyOption.REPLACE_EXISTING);
                }
            }
        }
        for (String placeholder : placeholders) {
            Path target = copy.resolve(placeholder);
            Files.createDirectories(target.getParent());
            if (!Files.exists(target)) {
                Files.writeString(target, "#!/bin/sh\n");
            }
        }
        return copy;
    }

    private static void compare(
            String title, Path folder, String name, JsonNode row, boolean complete, List<String> differences)
            throws IOException {
        List<String> appended = new ArrayList<>();
        for (int i = 1; i < row.path("extra_args").size(); i += 2) {
            appended.add(row.get("extra_args").get(i).asText());
        }
        SubmitContext context = new SubmitContext(
                folder, ENVIRONMENT, "root", Clock.systemUTC(), new SplittableRandom(1), 1, true, SubmitLimits.DEFAULT);
        List<Map<String, String>> ads = new ArrayList<>();
        int[] jobs = new int[1];
        String refusal = "";
        try {
            SubmitDescription.Expansion expansion = SubmitDescription.expand(Path.of(name), context, appended, job -> {
                if (jobs[0]++ < 60) {
                    ads.add(job.printed());
                }
            });
            refusal = String.join("; ", expansion.missing());
        } catch (SubmitException e) {
            refusal = String.valueOf(e.getMessage());
        }
        if ((row.get("rc").asInt() == 0) != refusal.isEmpty()) {
            differences.add(title + ": condor's exit code is " + row.get("rc") + ", we say: " + refusal);
        } else if (refusal.isEmpty()) {
            if (row.has("jobs") && row.get("jobs").asInt() != jobs[0]) {
                differences.add(title + ": " + jobs[0] + " jobs, not " + row.get("jobs"));
            }
            compare(title, folder, row.get("ads"), ads, complete, differences);
        }
    }

    private static void compare(
            String title,
            Path folder,
            JsonNode wanted,
            List<Map<String, String>> ads,
            boolean complete,
            List<String> differences) {
        if (wanted.size() != ads.size()) {
            differences.add(title + ": " + ads.size() + " ads, not " + wanted.size());
        }
        for (int i = 0; i < Math.min(wanted.size(), ads.size()); i++) {
            Set<String> extra = new HashSet<>(ads.get(i).keySet());
            JsonNode attributes = wanted.get(i);
            for (String attribute : (Iterable<String>) attributes::fieldNames) {
                String text = attributes.get(attribute).asText().replace("<CWD>", folder.toString());
                extra.remove(attribute);
                if (!OF_THE_MACHINE.contains(attribute)
                        && !text.equals(ads.get(i).get(attribute))) {
                    differences.add(title + " job " + i + ": " + attribute + " is "
                            + ads.get(i).get(attribute) + ", not " + text);
                }
            }
            extra.removeAll(OF_THE_MACHINE);
            if (complete && !extra.isEmpty()) {
                differences.add(title + " job " + i + ": too many attributes " + extra);
            }
        }
    }
}
