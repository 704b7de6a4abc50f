package org.metasched.cli.watch;

import java.util.List;
import java.util.Optional;

/**
 * One look of {@code watch} as it was shown.
 *
 * @param lines for people; the first says it all
 * @param json  the same as a document
 * @param end   the exit code when there is nothing more to come
 */
record WatchSnapshot(List<String> lines, Object json, Optional<Integer> end) {

    WatchSnapshot {
        lines = List.copyOf(lines);
    }
}
