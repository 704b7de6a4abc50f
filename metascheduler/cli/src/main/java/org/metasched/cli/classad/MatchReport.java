package org.metasched.cli.classad;

import java.io.PrintWriter;
import org.metasched.classad.match.PoolVerdict;
import org.metasched.classad.match.Verdict;

/** Prints explanations of matches for people. */
public final class MatchReport {

    /** Meaning of the columns of clauses. */
    public static final String LEGEND =
            "For each clause: offers that meet it, those that fail nothing else, and how many would match without it.";

    private MatchReport() {}

    public static void print(PoolVerdict verdict, PrintWriter out) {
        out.printf(
                "Of %d offers, %d meet the customer's constraint, %d accept the customer, %d do both.%n",
                verdict.offers(), verdict.meetingConstraint(), verdict.acceptingCustomer(), verdict.matching());
        verdict.notes().forEach(out::println);
        out.println(LEGEND);
        printClauses(verdict, "", out);
    }

    /** Prints for each clause how many offers it admits and excludes, and changes that would help. */
    public static void printClauses(PoolVerdict verdict, String indent, PrintWriter out) {
        if (!verdict.clauses().isEmpty()) {
            out.printf("%s%8s %8s %8s  %s%n", indent, "met by", "alone", "without", "clause");
        }
        String under = indent + " ".repeat(28) + "  ";
        for (PoolVerdict.Clause clause : verdict.clauses()) {
            out.printf(
                    "%s%8d %8d %8d  %s%n",
                    indent,
                    clause.met(),
                    clause.alone(),
                    clause.matchingWithout(),
                    clause.expression() + (clause.sees().isEmpty() ? "" : "  (" + clause.sees() + ")"));
            if (clause.neverMet()) {
                out.println(under + "nothing in the pool can ever satisfy this"
                        + clause.inPool().map(text -> ": " + text).orElse(""));
            }
            for (PoolVerdict.Relaxation relaxation : clause.relaxations()) {
                out.printf("%s%s would let %d match%n", under, relaxation.expression(), relaxation.matching());
            }
        }
        for (PoolVerdict.Waiting waiting : verdict.waiting()) {
            out.printf(
                    "%s%8s %8s %8s  %s (needs %s)%n",
                    indent, "?", "?", "?", waiting.expression(), String.join(", ", waiting.labels()));
        }
        verdict.conflicts()
                .forEach(pair ->
                        out.println(indent + "No offer meets both " + pair.one() + " and " + pair.other() + "."));
        for (PoolVerdict.Refusal refusal : verdict.refusals()) {
            out.printf(
                    "%s%d%s %s, %d for nothing else: %s%s%n",
                    indent,
                    refusal.offers(),
                    verdict.meetingConstraint() == 0 ? "" : " acceptable",
                    refusal.offers() == 1 ? "offer refuses" : "offers refuse",
                    refusal.alone(),
                    refusal.expression(),
                    refusal.because().isEmpty() ? "" : " (" + refusal.because() + ")");
        }
    }

    public static void print(Verdict verdict, PrintWriter out) {
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
}
