package org.metasched.example.library;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.metasched.classad.ClassAd;
import org.metasched.classad.Expr;
import org.metasched.classad.LookupMode;
import org.metasched.classad.ReadOptions;
import org.metasched.classad.Scope;

/** The machines that accept a job, by price. */
public final class Cheapest {

    private record Offer(String machine, double price) {}

    private Cheapest() {}

    public static void main(String[] arguments) throws IOException {
        List<ClassAd> machines = ClassAd.parseAll(Files.readString(Path.of(arguments[0])), ReadOptions.OLD);
        Expr price = Expr.parse(arguments[1]);
        ClassAd job = new ClassAd.Builder().set("Owner", "ann").set("Hours", 10).build();

        machines.stream()
                .map(machine -> Scope.matching(machine, job, LookupMode.OLD))
                .filter(scope -> scope.ad().evaluate("Requirements", scope).satisfies())
                .map(scope -> new Offer(
                        scope.ad().getString("Name"), price.evaluate(scope).rank()))
                .sorted(Comparator.comparing(Offer::price))
                .forEach(offer -> System.out.printf(Locale.ROOT, "%.2f  %s%n", offer.price(), offer.machine()));
    }
}
