package org.metasched.dag.binding;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.util.Collection;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.metasched.adapter.Sha256Digest;

/**
 * The files of a directory with their sizes and SHA-256 digests; of a symbolic link, the digest of its target's name. Immutable.
 * Making and comparing one is {@code O(bytes)}.
 *
 * @param marks size and digest of each file, by its name
 */
record FileManifest(SortedMap<String, String> marks) {

    /** The file in a bound directory that lists the inputs of {@link InputStaging#MANIFEST}. */
    static final String INPUTS = "metasched-inputs";

    /** Mark of a file that is missing. */
    private static final String GONE = "-";

    /** The manifest of the named files, missing ones included; for links to be followed, the files must exist. */
    static FileManifest of(Path directory, Collection<String> names, boolean followsLinks) throws IOException {
        var marks = new TreeMap<String, String>();
        for (String name : names) {
            Path file = directory.resolve(name);
            marks.put(name, mark(followsLinks ? file.toRealPath() : file));
        }
        return new FileManifest(marks);
    }

    /** The manifest of all files but one. */
    static FileManifest ofAll(Path directory, String except) throws IOException {
        return of(
                directory,
                OutputTree.walk(directory).stream()
                        .filter(path -> !Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS))
                        .map(path -> directory.relativize(path).toString())
                        .filter(name -> !name.equals(except))
                        .toList(),
                false);
    }

    /** @param lines as {@link #lines} gave them */
    static FileManifest parse(Stream<String> lines) {
        var marks = new TreeMap<String, String>();
        lines.filter(line -> line.indexOf(' ') > 0).forEach(line -> {
            int space = line.indexOf(' ');
            marks.put(line.substring(space + 1).translateEscapes(), line.substring(0, space));
        });
        return new FileManifest(marks);
    }

    /** A line for each file: its mark and its name. */
    Stream<String> lines() {
        return marks.entrySet().stream()
                .map(entry -> entry.getValue() + " "
                        + entry.getKey()
                                .replace("\\", "\\\\")
                                .replace("\n", "\\n")
                                .replace("\r", "\\r"));
    }

    /** The first of these files that a directory has not, or has with another content. */
    Optional<String> firstDifference(Path directory) throws IOException {
        for (Map.Entry<String, String> entry : marks.entrySet()) {
            if (!entry.getValue().equals(mark(directory.resolve(entry.getKey())))) {
                return Optional.of(entry.getKey());
            }
        }
        return Optional.empty();
    }

    private static String mark(Path file) throws IOException {
        MessageDigest digest = Sha256Digest.digest();
        long size;
        try {
            if (Files.isSymbolicLink(file)) {
                byte[] target = Files.readSymbolicLink(file).toString().getBytes(StandardCharsets.UTF_8);
                digest.update(target);
                size = target.length;
            } else if (Files.isRegularFile(file)) {
                try (InputStream in = Files.newInputStream(file);
                        var out = new DigestOutputStream(java.io.OutputStream.nullOutputStream(), digest)) {
                    size = in.transferTo(out);
                }
            } else {
                // A pipe or a socket is not carried.
                return GONE;
            }
        } catch (NoSuchFileException e) {
            return GONE;
        }
        return size + ":" + HexFormat.of().formatHex(digest.digest());
    }
}
