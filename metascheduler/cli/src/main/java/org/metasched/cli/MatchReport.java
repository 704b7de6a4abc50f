package org.metasched.cli;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.metasched.classad.match.PoolVerdict;
import org.metasched.classad.match.Verdict;

/** Explanations of matches for readers and for scripts. */
final class MatchReport {

    private MatchReport() {}

    static void print(PoolVerdict verdict, PrintWriter out) {
        out.printf(
                "Of %d offers, %d meet the customer's constraint, %d accept the customer, %d do both.%n",
                verdict.offers(), verdict.accepted(), verdict.accepting(), verdict.matching());
        verdict.notes().forEach(out::println);
        if (!verdict.clauses().isEmpty()) {
            out.printf(
                    "%9s %9s  %s%n", "met by", "without", "clause (without: how many would match if it were dropped)");
        }
        for (PoolVerdict.Clause clause : verdict.clauses()) {
            out.printf("%9d %9d  %s%n", clause.met(), clause.matchingWithout(), clause.expression());
            if (clause.neverMet()) {
                out.println("                     nothing in the pool can ever satisfy this"
                        + clause.inPool().map(text -> ": " + text).orElse(""));
            }
            for (PoolVerdict.Relaxation relaxation : clause.relaxations()) {
                out.printf(
                        "                     %s would let %d match%n", relaxation.expression(), relaxation.matching());
            }
        }
        verdict.conflicts()
                .forEach(pair -> out.println("No offer meets both " + pair.one() + " and " + pair.other() + "."));
        for (PoolVerdict.Refusal refusal : verdict.refusals()) {
            out.printf(
                    "%d acceptable offers refuse by their own condition %s%n", refusal.offers(), refusal.expression());
        }
    }

    static void print(Verdict verdict, PrintWriter out) {
        out.println(verdict.matches() ? "The two ads match." : "The two ads do not match.");
        out.println("The customer's conjuncts:");
        verdict.customerSide().forEach(conjunct -> print(conjunct, out));
        out.println("The offer's conjuncts:");
        verdict.offerSide().forEach(conjunct -> print(conjunct, out));
        verdict.notes().forEach(out::println);
    }

    private static void print(Verdict.Conjunct conjunct, PrintWriter out) {
        out.printf("  %-9s %s%n", conjunct.value().print(), conjunct.expression());
        if (!conjunct.met()) {
            conjunct.operands().forEach((name, value) -> out.println("            " + name + " is " + value.print()));
        }
    }

    static Map<String, Object> json(PoolVerdict verdict) {
        var document = new LinkedHashMap<String, Object>();
        document.put("offers", verdict.offers());
        document.put("accepted", verdict.accepted());
        document.put("accepting", verdict.accepting());
        document.put("matching", verdict.matching());
        var clauses = new ArrayList<Map<String, Object>>();
        for (PoolVerdict.Clause clause : verdict.clauses()) {
            var entry = new LinkedHashMap<String, Object>();
            entry.put("clause", clause.expression());
            entry.put("met", clause.met());
            entry.put("matchingWithout", clause.matchingWithout());
            entry.put("neverMet", clause.neverMet());
            clause.inPool().ifPresent(text -> entry.put("inPool", text));
            entry.put("relaxations", clause.relaxations());
            clauses.add(entry);
        }
        document.put("clauses", clauses);
        document.put("refusals", verdict.refusals());
        document.put("conflicts", verdict.conflicts());
        document.put("notes", verdict.notes());
        return document;
    }

    static Map<String, Object> json(Verdict verdict) {
        var document = new LinkedHashMap<String, Object>();
        document.put("matches", verdict.matches());
        document.put("customer", conjuncts(verdict.customerSide()));
        document.put("offer", conjuncts(verdict.offerSide()));
        document.put("notes", verdict.notes());
        return document;
    }

    private static List<Map<String, Object>> conjuncts(List<Verdict.Conjunct> conjuncts) {
        var list = new ArrayList<Map<String, Object>>();
        for (Verdict.Conjunct conjunct : conjuncts) {
            var entry = new LinkedHashMap<String, Object>();
            entry.put("conjunct", conjunct.expression());
            entry.put("value", conjunct.value().print());
            entry.put("met", conjunct.met());
            var operands = new LinkedHashMap<String, String>();
            conjunct.operands().forEach((name, value) -> operands.put(name, value.print()));
            entry.put("operands", operands);
            list.add(entry);
        }
        return list;
    }
}
