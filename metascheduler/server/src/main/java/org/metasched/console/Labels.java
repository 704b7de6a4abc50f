package org.metasched.console;

import java.util.List;
import java.util.Optional;
import org.metasched.adapter.Need;

/** What the pages call things. */
final class Labels {

    static final String NONE = "–";

    private Labels() {}

    static String amount(Need need) {
        return need.fold(
                nodes -> counted(nodes.count(), "node"),
                bandwidth -> bandwidth.megabitsPerSecond() + " Mbit/s",
                licences -> licences.count() + " × " + licences.feature());
    }

    static String counted(int count, String thing) {
        return count + " " + thing + (count == 1 ? "" : "s");
    }

    /** The first of them, and how many there are beside. */
    static String joined(List<String> names, int most) {
        int more = names.size() - most;
        return String.join(", ", names.subList(0, Math.min(most, names.size())))
                + (more > 0 ? " and " + more + " more" : "");
    }

    static String orNone(Optional<?> value) {
        return value.map(Object::toString).orElse(NONE);
    }
}
