package org.metasched.soap.claiming;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;
import org.metasched.classad.ClassAd;
import org.metasched.classad.ClassAdSyntaxException;
import org.metasched.classad.ReadOptions;
import org.metasched.classad.claim.ClaimId;
import org.metasched.classad.claim.ClaimJournal;
import org.metasched.durable.AtomicFile;

/** A claimant's journal in a folder: a file for each attempt that is under way, on the disk before the first member is asked. */
public final class ClaimFolder implements ClaimJournal {

    private static final String ENDING = ".claim";

    private final Path folder;

    /** @param folder folder of the journal, made if it is missing */
    public ClaimFolder(Path folder) throws IOException {
        this.folder = Files.createDirectories(folder);
    }

    @Override
    public void begin(ClaimId claim, List<ClassAd> members) {
        try {
            String text = members.stream().map(ClassAd::print).collect(Collectors.joining("\n", "", "\n"));
            AtomicFile.replace(folder.resolve(claim + ENDING), text);
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "The claim (" + claim + ") cannot be noted in (" + folder + "): " + e.getMessage(), e);
        }
    }

    @Override
    public void end(ClaimId claim) {
        try {
            Files.deleteIfExists(folder.resolve(claim + ENDING));
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "The note of the claim (" + claim + ") cannot be deleted from (" + folder + "): " + e.getMessage(),
                    e);
        }
    }

    @Override
    public List<Open> open() {
        try (var files = Files.list(folder)) {
            return files.filter(file -> file.toString().endsWith(ENDING))
                    .map(ClaimFolder::read)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException("The claims in (" + folder + ") cannot be read: " + e.getMessage(), e);
        }
    }

    private static Open read(Path file) {
        String name = String.valueOf(file.getFileName());
        try {
            return new Open(
                    new ClaimId(UUID.fromString(name.substring(0, name.length() - ENDING.length()))),
                    ClassAd.parseAll(Files.readString(file), ReadOptions.NEW));
        } catch (IOException | ClassAdSyntaxException | IllegalArgumentException e) {
            throw new IllegalStateException("The note of a claim (" + file + ") cannot be read: " + e.getMessage(), e);
        }
    }
}
