package org.metasched.cli.gang;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.metasched.classad.Value;
import org.metasched.classad.gang.Algorithm;
import org.metasched.classad.gang.CycleOutcome;
import org.metasched.classad.gang.Gang;

/** The JSON of {@code gang match} and {@code gang bench}. */
final class GangJson {

    private GangJson() {}

    static Map<String, Object> summary(Algorithm algorithm, int roots, CycleOutcome outcome, double millis) {
        var document = new LinkedHashMap<String, Object>();
        document.put("roots", roots);
        document.put("gangs", outcome.gangs());
        document.put("probes", outcome.effort().probes());
        document.put("evaluations", outcome.effort().evaluations());
        document.put("backtracks", outcome.effort().backtracks());
        document.put("millis", Math.round(millis * 1000) / 1000.0);
        document.put("algorithm", algorithm.name().toLowerCase(Locale.ROOT));
        if (algorithm == Algorithm.EXACT) {
            outcome.bound().ifPresent(bound -> document.put("bound", bound));
            document.put("optimal", outcome.optimal());
            outcome.rankNote().ifPresent(note -> document.put("rank", note));
        }
        if (!outcome.exhaustive()) {
            document.put("exhaustive", false);
        }
        return document;
    }

    static Map<String, Object> assignment(Gang gang) {
        var entry = new LinkedHashMap<String, Object>();
        entry.put("root", name(gang.root()));
        entry.put("ports", ports(gang.root()));
        return entry;
    }

    private static List<Map<String, Object>> ports(Gang.Member member) {
        var ports = new ArrayList<Map<String, Object>>();
        for (Gang.Docking docking : member.dockings()) {
            for (Gang.Member docked : docking.members()) {
                var port = new LinkedHashMap<String, Object>();
                port.put("label", docking.label());
                port.put("ad", name(docked));
                if (!docked.dockings().isEmpty()) {
                    port.put("ports", ports(docked));
                }
                ports.add(port);
            }
        }
        return ports;
    }

    /** An ad's Name, or its number among the offers. */
    static String name(Gang.Member member) {
        boolean named = member.ad().ad().evaluate("Name") instanceof Value.Text;
        return named || member.offer() < 0 ? member.ad().name() : "#" + member.offer();
    }
}
