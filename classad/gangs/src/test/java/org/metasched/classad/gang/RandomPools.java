package org.metasched.classad.gang;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.metasched.classad.ClassAd;
import org.metasched.classad.ClassAdSyntaxException;

/** Small pools with everything that makes gang matching hard: exports, passedOn clauses, UNDEFINED, trees, ranks, awkward operators. */
final class RandomPools {

    private final SplittableRandom random;

    /** Whether anybody likes one neighbour better than another: where nobody does, gangs are sought by numbers of offers. */
    private final boolean ranked;

    RandomPools(long seed) {
        random = new SplittableRandom(seed);
        ranked = random.nextBoolean();
    }

    List<ClassAd> roots() throws ClassAdSyntaxException {
        var roots = new ArrayList<ClassAd>();
        int count = random.nextInt(1, 4);
        for (int i = 0; i < count; i++) {
            roots.add(ClassAd.parse(root(i)));
        }
        return roots;
    }

    /** The same roots again and again, with other names and owners, in any order. */
    List<ClassAd> manyRoots(int count) throws ClassAdSyntaxException {
        List<ClassAd> distinct = roots();
        var roots = new ArrayList<ClassAd>();
        for (int i = 0; i < count; i++) {
            ClassAd one = distinct.get(random.nextInt(distinct.size()));
            roots.add(one.with("Name", "job" + i).with("Owner", pick("ann", "bob")));
        }
        return roots;
    }

    List<ClassAd> offers() throws ClassAdSyntaxException {
        return offers(random.nextInt(0, 8));
    }

    List<ClassAd> offers(int count) throws ClassAdSyntaxException {
        var offers = new ArrayList<ClassAd>();
        for (int i = 0; i < count; i++) {
            offers.add(ClassAd.parse(offer(i)));
        }
        return offers;
    }

    private String root(int number) {
        int ports = random.nextInt(1, 4);
        var text = new StringBuilder("[ Type = \"Job\"; Name = \"job" + number + "\"; " + own() + "Ports = {");
        for (int port = 0; port < ports; port++) {
            text.append(port == 0 ? " " : ", ").append(askingPort(port, "p", ports));
        }
        return text.append(" } ]").toString();
    }

    private String askingPort(int port, String prefix, int ports) {
        String label = prefix + port;
        var text = new StringBuilder("[ Label = " + label + "; Size = " + number() + "; ");
        if (port > 0 && random.nextBoolean()) {
            text.append("Part = ").append(prefix).append(random.nextInt(port)).append(".A; ");
        }
        if (random.nextInt(4) == 0) {
            text.append("Back = ").append(label).append(".B; ");
        }
        text.append("Rank = ")
                .append(ranked ? pick("0", label + ".A", label + ".B - " + label + ".A", "\"x\"") : "0")
                .append("; ");
        text.append("Constraint = ")
                .append(conjunction(label, prefix, port, ports))
                .append(" ]");
        return text.toString();
    }

    private String conjunction(String label, String prefix, int port, int ports) {
        var text = new StringBuilder();
        int clauses = random.nextInt(1, 4);
        for (int i = 0; i < clauses; i++) {
            text.append(i == 0 ? "" : " && ").append(clause(label, prefix, port, ports));
        }
        return text.toString();
    }

    private String clause(String label, String prefix, int port, int ports) {
        // Labels of later ports are written, too: there they mean nothing.
        String other = prefix + random.nextInt(random.nextInt(8) == 0 ? ports : port + 1);
        return switch (random.nextInt(12)) {
            case 0 -> label + ".A == " + number();
            case 1 -> label + ".A >= Size";
            case 2 -> label + ".Kind == \"" + pick("x", "Y", "z") + "\"";
            case 3 -> label + ".A " + operator() + " " + other + ".A";
            case 4 -> label + ".B " + operator() + " " + other + ".A + 1";
            case 5 -> label + ".C is undefined";
            case 6 -> "(" + label + ".A == 1 || " + label + ".B == 2)";
            case 7 -> "member(" + label + ".A, { 0, 1, 2.0 })";
            case 8 -> label + ".Flag";
            case 9 -> "!" + label + ".Flag";
            case 10 -> number() + " " + operator() + " " + label + ".B";
            default -> label + ".A isnt " + number();
        };
    }

    private String offer(int number) {
        var text = new StringBuilder("[ Type = \"Thing\"; Name = \"o" + number + "\"; " + own() + "Ports = { ");
        text.append("[ Label = requester; Rank = ")
                .append(ranked ? pick("0", "requester.Size", "A") : "0")
                .append("; Constraint = ");
        text.append(answer()).append(" ]");
        if (random.nextInt(6) == 0) {
            text.append(", ").append(askingPort(1, "q", 2).replace("q0.", "requester."));
        }
        return text.append(" } ]").toString();
    }

    private String answer() {
        var text = new StringBuilder();
        int clauses = random.nextInt(1, 3);
        for (int i = 0; i < clauses; i++) {
            text.append(i == 0 ? "" : " && ")
                    .append(
                            switch (random.nextInt(11)) {
                                case 10 -> "requester.Owner isnt \"bob\"";
                                case 0, 1, 2 -> pick("true", "requester.Type == \"Job\"", "1");
                                case 3 -> "requester.Size " + operator() + " " + number();
                                case 4 -> "requester.Part == A";
                                case 5 -> "requester.Part + 0 " + operator() + " B";
                                case 6 -> "requester.Back is undefined";
                                case 7 -> "(requester.Size == A || requester.Part == 1)";
                                case 8 -> "A " + operator() + " requester.Size";
                                default -> "requester.Back =!= A";
                            });
        }
        return text.toString();
    }

    private String own() {
        var text = new StringBuilder("A = " + number() + "; ");
        if (random.nextInt(4) > 0) {
            text.append("B = ")
                    .append(pick(number(), number(), "A + 1", "\"s\"", "1.0"))
                    .append("; ");
        }
        if (random.nextInt(3) == 0) {
            text.append("C = ").append(number()).append("; ");
        }
        text.append("Flag = ")
                .append(pick("true", "false", "0", "2", "undefined"))
                .append("; ");
        text.append("Kind = \"").append(pick("x", "y", "Z")).append("\"; ");
        return text.toString();
    }

    private String number() {
        return Integer.toString(random.nextInt(3));
    }

    private String operator() {
        return pick("==", "<=", ">=", "<", ">", "!=", "is", "isnt");
    }

    private String pick(String... choices) {
        return choices[random.nextInt(choices.length)];
    }
}
