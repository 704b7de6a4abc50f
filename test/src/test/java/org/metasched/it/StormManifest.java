package org.metasched.it;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.metasched.dag.binding.BindingRecord;
import org.metasched.dag.binding.MatchNote;

/** Files of a DAG that {@link StormBinder} has bound, by their digests. */
final class StormManifest {

    private StormManifest() {}

    /**
     * The digests of all files of a bound DAG but its record and the note of its match, which are read. A killed process may leave the
     * temporary file of an atomic replacement.
     */
    static Map<String, String> of(Path bound) throws IOException {
        var digests = new TreeMap<String, String>();
        try (Stream<Path> all = Files.walk(bound)) {
            for (Path file : all.filter(Files::isRegularFile).toList()) {
                String name = bound.relativize(file).toString();
                boolean isLeft = name.matches("\\.metasched-[a-z.]+\\.[0-9a-f-]{36}\\.next");
                if (!name.equals(BindingRecord.FILE) && !name.equals(MatchNote.FILE) && !isLeft) {
                    digests.put(name, digest(Files.readAllBytes(file)));
                }
            }
        }
        return digests;
    }

    /** What it must have: what was bound, by its site, and what the DAG has made. */
    static Map<String, String> expected(Path folder, int number, BindingRecord record) throws IOException {
        Path generic = folder.resolve("dags/d" + number);
        String area = "/scratch/" + record.site().substring("site".length());
        String step = Files.readString(generic.resolve("step.sub")).replace("$ENV(Area)", area);
        var manifest = new TreeMap<>(Map.of(
                "group.dag", digest(Files.readAllBytes(generic.resolve("group.dag"))),
                "run.sh", digest(Files.readAllBytes(generic.resolve("run.sh"))),
                "step.sub", digest(step.getBytes(StandardCharsets.UTF_8))));
        if (number % 3 == 0) {
            manifest.put("result.dat", digest(StormBinder.result(number)));
        }
        return manifest;
    }

    private static String digest(byte[] bytes) {
        try {
            return bytes.length + ":"
                    + HexFormat.of()
                            .formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
