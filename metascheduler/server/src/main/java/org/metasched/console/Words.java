package org.metasched.console;

import java.util.Optional;
import org.metasched.adapter.Need;

/** What the pages call things. */
final class Words {

    static final String NONE = "–";

    private Words() {}

    static String amount(Need need) {
        if (need instanceof Need.Nodes nodes) {
            return counted(nodes.count(), "node");
        } else if (need instanceof Need.Bandwidth bandwidth) {
            return bandwidth.megabitsPerSecond() + " Mbit/s";
        }
        var licences = (Need.Licences) need;
        return licences.count() + " × " + licences.feature();
    }

    static String counted(int count, String thing) {
        return count + " " + thing + (count == 1 ? "" : "s");
    }

    static String orNone(Optional<?> value) {
        return value.map(Object::toString).orElse(NONE);
    }
}
