package org.metasched.submit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Each command of a submit description in its forms: which attributes of the job ad differ from those of a plain job. Needs nothing
 * beside the repository.
 */
class GoldenSubmitTest {

    /** These depend on files of the machine. */
    private static final Set<String> OF_THE_MACHINE =
            Set.of("ExecutableSize", "ImageSize", "DiskUsage", "TransferInputSizeMB", "QDate");

    private static final String REFUSED = "! refused";

    @TempDir
    Path folder;

    @Test
    void everyCommandMakesItsAttributes() throws IOException {
        Files.writeString(folder.resolve("inc.sub"), "arguments = included\n");
        Files.writeString(folder.resolve("list.txt"), "x1, 1\nx2 2\n\nx3 3 extra\n");
        for (String name :
                List.of("a", "b", "i", "p", "a.jar", "b.jar", "A.class", "x.dat", "y.dat", "a.sif", "a.img")) {
            Files.writeString(folder.resolve(name), "");
        }
        for (String name : List.of("d1", "d2", "dir")) {
            Files.createDirectory(folder.resolve(name));
        }
        Map<String, String> plain = expand("").get(0);

        GoldenCases.check(GoldenSubmitTest.class, "submit-cases.txt", lines -> differences(lines, plain));
    }

    private List<String> differences(String lines, Map<String, String> plain) throws IOException {
        List<String> said = new ArrayList<>();
        List<Map<String, String>> ads = expand(lines);
        // Those after the first say only what is their own.
        for (Map<String, String> ad : ads) {
            if (ads.size() > 1) {
                said.add("job");
            }
            Set<String> names = new TreeSet<>(ad.keySet());
            if (!ad.containsKey(REFUSED) && ad == ads.get(0)) {
                names.addAll(plain.keySet());
            }
            names.removeAll(OF_THE_MACHINE);
            for (String name : names) {
                String value = ad.get(name);
                if (value == null) {
                    said.add(name + " is not set");
                } else if (!value.equals(plain.get(name))) {
                    said.add((name + " = " + value).replace(folder.toString(), "DIR"));
                }
            }
        }
        return said;
    }

    /** The ads, or one with nothing but the refusal. */
    private List<Map<String, String>> expand(String lines) throws IOException {
        boolean queues = lines.lines().anyMatch(line -> line.startsWith("queue"));
        boolean runs = lines.lines().anyMatch(line -> line.matches("(executable|container_image|docker_image) .*"));
        Files.writeString(
                folder.resolve("a.sub"),
                (runs ? "" : "executable = /bin/sh\n") + lines + "\n" + (queues ? "" : "queue\n"));
        var context = new SubmitContext(
                folder,
                Map.of("HOME", "/home/alice", "LANG", "C", "PATH", "/bin"),
                "alice",
                Clock.fixed(Instant.parse("2026-01-05T08:00:00Z"), ZoneOffset.UTC),
                new SplittableRandom(1),
                1,
                true,
                SubmitLimits.DEFAULT);
        List<Map<String, String>> ads = new ArrayList<>();
        try {
            var expansion = SubmitDescription.expand(
                    Path.of("a.sub"), context, List.of(), job -> ads.add(new TreeMap<>(job.printed())));
            for (String missing : expansion.missing()) {
                ads.add(refusal(missing));
            }
        } catch (SubmitException e) {
            ads.add(refusal(String.valueOf(e.getMessage())));
        }
        return ads;
    }

    private static Map<String, String> refusal(String text) {
        return new TreeMap<>(Map.of(REFUSED, text.replace("\n", " ")));
    }
}
