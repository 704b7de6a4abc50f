package org.metasched.dag.binding;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.stream.Stream;

/**
 * The folders in a folder, sorted. The last answer is kept while the folder has its time of change: the DAGs of one command often lie
 * beside each other, and a look at each of a thousand for each of them is a million. Thread-safe; for a command, not for a server.
 */
final class FolderListing {

    private record Listing(Path folder, FileTime changed, List<Path> found) {}

    private volatile Listing last = new Listing(Path.of(""), FileTime.fromMillis(0), List.of());

    List<Path> in(Path folder) throws IOException {
        FileTime changed = Files.getLastModifiedTime(folder);
        Listing known = last;
        if (known.folder.equals(folder) && known.changed.equals(changed)) {
            return known.found;
        }
        try (Stream<Path> entries = Files.list(folder)) {
            List<Path> found = entries.filter(path -> Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS))
                    .sorted()
                    .toList();
            last = new Listing(folder, changed, found);
            return found;
        }
    }
}
