package org.metasched.cli.gang;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.metasched.classad.Value;
import org.metasched.classad.gang.Gang;
import org.metasched.classad.gang.RootExplanation;

/**
 * Output of {@code gang match}.
 *
 * @param refused ads that take no part
 * @param assignments gangs of the roots that got one, if they are to be listed
 * @param explanations explanations of roots that got none, if they are asked for
 * @param rootsNotExplained number of further roots without a gang
 */
@JsonInclude(Include.NON_ABSENT)
record GangMatchResult(
        @JsonUnwrapped GangSummary summary,
        @JsonInclude(Include.NON_EMPTY) List<Refused> refused,
        Optional<List<Assigned>> assignments,
        Optional<List<Explained>> explanations,
        Optional<Integer> rootsNotExplained) {

    record Refused(String ad, String reason, String place) {}

    record Explained(String root, @JsonUnwrapped RootExplanation explanation) {}

    /** A root with the ads that dock at its ports. */
    record Assigned(String root, List<Docked> ports) {

        static Assigned of(Gang gang) {
            return new Assigned(name(gang.root()), Docked.all(gang.root()));
        }

        String line() {
            return root + ": " + Docked.line(ports);
        }
    }

    /** @param ports ports of the docked ad itself, with their ads */
    record Docked(
            String label,
            String ad,
            @JsonInclude(Include.NON_EMPTY) List<Docked> ports) {

        private static List<Docked> all(Gang.Member member) {
            var all = new ArrayList<Docked>();
            for (Gang.Docking docking : member.dockings()) {
                docking.members().forEach(docked -> all.add(new Docked(docking.label(), name(docked), all(docked))));
            }
            return all;
        }

        private static String line(List<Docked> ports) {
            return ports.stream()
                    .map(port -> port.label() + " = " + port.ad()
                            + (port.ports().isEmpty() ? "" : " (" + line(port.ports()) + ")"))
                    .collect(Collectors.joining(", "));
        }
    }

    /** An ad's Name, or its number among the offers. */
    private static String name(Gang.Member member) {
        boolean named = member.ad().ad().evaluate("Name") instanceof Value.Text;
        return named || member.offer() < 0 ? member.ad().name() : "#" + member.offer();
    }
}
