package org.metasched.cli.dag;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.metasched.classad.Value;
import org.metasched.classad.match.Verdict;
import org.metasched.dag.binding.BoundDag;

/** Whether a site matches a DAG, and why, condition by condition. */
record SiteFinding(String site, boolean matches, double rank, List<Condition> conditions, List<String> notes) {

    /** @param side party that sets the condition: dag or site */
    record Condition(
            String side,
            String expression,
            Value value,
            boolean met,
            @JsonIgnore Map<String, Value> operands) {

        static Condition of(String side, Verdict.Conjunct conjunct) {
            return new Condition(side, conjunct.expression(), conjunct.value(), conjunct.met(), conjunct.operands());
        }

        private String line() {
            String seen = operands.entrySet().stream()
                    .map(entry -> entry.getKey() + " is " + entry.getValue().print())
                    .collect(Collectors.joining(", "));
            return "  " + (met ? "met " : "NOT ") + (side.equals("dag") ? "DAG " : side) + " " + expression + " -> "
                    + value.print() + (seen.isEmpty() ? "" : "   (" + seen + ")");
        }
    }

    static SiteFinding of(Verdict verdict) {
        List<Condition> conditions = new ArrayList<>();
        verdict.customerSide().forEach(conjunct -> conditions.add(Condition.of("dag", conjunct)));
        verdict.offerSide().forEach(conjunct -> conditions.add(Condition.of("site", conjunct)));
        return new SiteFinding(
                BoundDag.siteName(verdict.offer()), verdict.matches(), verdict.rank(), conditions, verdict.notes());
    }

    void print(PrintWriter out) {
        out.println(site + (matches ? ": matches, rank " + rank : ": no match"));
        conditions.forEach(condition -> out.println(condition.line()));
        notes.forEach(note -> out.println("  " + note));
    }
}
