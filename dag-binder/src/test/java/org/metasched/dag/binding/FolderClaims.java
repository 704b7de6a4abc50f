package org.metasched.dag.binding;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.metasched.classad.ClassAd;

/** Matches as files of a folder, so that several processes see them: a small model of a count. Sites have room without end. */
record FolderClaims(Path folder) implements SiteClaims {

    /** One match: who has it, and whether it was kept. */
    record Held(String id, String site, String holder, boolean kept) {}

    @Override
    public String where() {
        return folder.toUri().toString();
    }

    @Override
    public List<ClassAd> counted(List<ClassAd> siteAds) throws IOException {
        List<Held> held = held();
        return siteAds.stream()
                .map(ad -> ad.with(
                        "CurMatches",
                        held.stream()
                                .filter(match -> match.site().equals(BoundDag.siteName(ad)))
                                .count()))
                .toList();
    }

    @Override
    public Optional<String> take(ClassAd siteAd, String holder, int nodes) throws IOException {
        String id = UUID.randomUUID().toString();
        Files.write(Files.createDirectories(folder).resolve(id), List.of(BoundDag.siteName(siteAd), holder, "taken"));
        return Optional.of(id);
    }

    @Override
    public boolean renew(String match) {
        return Files.exists(folder.resolve(match));
    }

    @Override
    public boolean settle(String match, boolean keep) throws IOException {
        Path file = folder.resolve(match);
        if (!keep) {
            return Files.deleteIfExists(file);
        }
        if (!Files.exists(file)) {
            return false;
        }
        List<String> lines = Files.readAllLines(file);
        Files.write(file, List.of(lines.get(0), lines.get(1), "kept"));
        return true;
    }

    List<Held> held() throws IOException {
        Files.createDirectories(folder);
        List<Held> all = new ArrayList<>();
        try (var files = Files.newDirectoryStream(folder)) {
            for (Path file : files) {
                List<String> lines = Files.readAllLines(file);
                String id = file.getFileName().toString();
                all.add(new Held(id, lines.get(0), lines.get(1), lines.get(2).equals("kept")));
            }
        }
        return all;
    }

    /** What was taken and not kept lapses after its lease. */
    void lapse() throws IOException {
        for (Held match : held()) {
            if (!match.kept()) {
                Files.delete(folder.resolve(match.id()));
            }
        }
    }
}
