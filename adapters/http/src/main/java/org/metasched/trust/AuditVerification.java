package org.metasched.trust;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** One check of a folder of audit files. Not thread-safe; used once. */
final class AuditVerification {

    private final Path folder;
    private final Optional<AuditLog.Anchor> since;
    private final Map<Long, String> signed;

    /** Hash of the last line, which the next one must carry; empty before the first. */
    private String expected = "";

    /** Number of the last line. */
    private long number;

    /** Number of the first line that is here. */
    private long first;

    private long lines;

    /** Number of the last line with a valid signature. */
    private long lastSigned;

    /** Whether the line that was kept elsewhere is found. */
    private boolean isAnchored;

    AuditVerification(Path folder, Optional<AuditLog.Anchor> since) throws IOException {
        this.folder = folder;
        this.since = since;
        this.signed = AuditCheckpoints.read(folder);
    }

    AuditLog.Report run() throws IOException {
        for (Path path : AuditLog.files(folder)) {
            int inFile = 0;
            try (var in = Files.newBufferedReader(path, StandardCharsets.ISO_8859_1)) {
                String line = in.readLine();
                while (line != null) {
                    String next = in.readLine();
                    inFile++;
                    var problem = next == null && endsTorn(path)
                            ? Optional.of("the last line is torn.")
                            : problemOf(line, path.endsWith(AuditLog.FIRST_FILE));
                    if (problem.isPresent()) {
                        return report(Optional.of(path + ":" + inFile + ": " + problem.get()));
                    }
                    line = next;
                }
            }
        }
        return report(atEnd());
    }

    /** Why a line does not belong after the one before it; empty if it does. */
    private Optional<String> problemOf(String line, boolean isFirstFile) {
        String linked = AuditLog.linkOf(line);
        long own = AuditLog.numberOf(line);
        boolean begins = expected.isEmpty();
        boolean isGenesis = own == 1 && linked.equals(AuditLog.GENESIS);
        if (linked.isEmpty()
                || own < 1
                || begins && !isGenesis && (isFirstFile || own == 1)
                || !begins && (!linked.equals(expected) || own != number + 1)) {
            return Optional.of("this line does not follow the one before it: one of them was changed, taken out, put in"
                    + " or moved.");
        }
        expected = AuditLog.hash(line);
        number = own;
        first = begins ? own : first;
        lines++;
        if (since.isPresent() && since.get().number() == own) {
            isAnchored = since.get().hash().equals(expected);
            if (!isAnchored) {
                return Optional.of("this line is not the anchored one, which has the hash "
                        + since.get().hash() + ".");
            }
        }
        return atCheckpoint();
    }

    private Optional<String> atCheckpoint() {
        String signature = signed.get(number);
        if (signature != null) {
            lastSigned = number;
            if (!AuditCheckpoints.isRight(folder, number, expected, signature)) {
                return Optional.of("this line is not the one that was signed: lines up to it were changed.");
            }
        }
        return Optional.empty();
    }

    private Optional<String> atEnd() {
        if (since.isPresent() && !isAnchored) {
            return Optional.of(folder + ": the anchored line " + since.get().number()
                    + " is not there: lines were cut off, or an older copy stands here.");
        }
        long signedLater = signed.keySet().stream().filter(n -> n > number).count();
        return signedLater == 0
                ? Optional.empty()
                : Optional.of(folder + ": " + signedLater + " signed lines after line " + number + " are not there.");
    }

    private AuditLog.Report report(Optional<String> problem) {
        return new AuditLog.Report(lines, number, expected, problem, problem.isEmpty() ? notProven() : List.of());
    }

    private List<String> notProven() {
        var gaps = new ArrayList<String>();
        if (first > 1) {
            gaps.add("Lines 1 to " + (first - 1) + " are not here; an archive may have them.");
        }
        if (number > lastSigned) {
            gaps.add("Lines " + (lastSigned + 1) + " to " + number
                    + " have no checkpoint yet: changes in the last of them cannot be found.");
        }
        if (since.isEmpty()) {
            gaps.add(
                    "Without --since an end that was cut off together with its checkpoints, an older copy, and a record that was made anew"
                            + " with a key of its own cannot be found.");
        }
        return gaps;
    }

    private static boolean endsTorn(Path file) throws IOException {
        try (var in = new RandomAccessFile(file.toFile(), "r")) {
            if (in.length() == 0) {
                return false;
            }
            in.seek(in.length() - 1);
            return in.read() != '\n';
        }
    }
}
