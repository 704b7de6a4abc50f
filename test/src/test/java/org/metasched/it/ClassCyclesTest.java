package org.metasched.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Classes that all need each other are understood together or not at all: such a cycle stays small. */
class ClassCyclesTest {

    /** What evaluates ClassAds, trees, values, places and code, is 13. */
    private static final int LARGEST = 15;

    private static final Map<String, Set<String>> NEEDS = dependencies();

    @Test
    void noCycleOfClassesIsLargerThanAReaderCanHold() {
        List<Set<String>> cycles = cycles(NEEDS);
        List<Set<String>> tooLarge =
                cycles.stream().filter(cycle -> cycle.size() > LARGEST).toList();

        System.out.println("HouseFigures: largest cycles of classes: "
                + cycles.stream().limit(5).map(Set::size).toList());
        assertThat(NEEDS.size()).isGreaterThan(500);
        assertThat(tooLarge).isEmpty();
    }

    @Test
    void packagesAreFreeOfCycles() {
        var needs = new TreeMap<String, Set<String>>();
        NEEDS.forEach((type, needed) -> {
            var known = needs.computeIfAbsent(packageOf(type), name -> new TreeSet<>());
            needed.stream().map(ClassCyclesTest::packageOf).forEach(known::add);
        });

        assertThat(needs.size()).isGreaterThan(50);
        assertThat(cycles(needs)).allSatisfy(cycle -> assertThat(cycle).hasSize(1));
    }

    private static String packageOf(String type) {
        return type.substring(0, type.lastIndexOf('.'));
    }

    @Test
    void findsACycle() {
        Map<String, Set<String>> needs =
                Map.of("a", Set.of("b"), "b", Set.of("c", "d"), "c", Set.of("a"), "d", Set.of("e"), "e", Set.of());

        assertThat(cycles(needs)).contains(Set.of("a", "b", "c"), Set.of("d"), Set.of("e"));
    }

    /** What each class of ours needs, nested classes counting as their outermost one; what is made from schemas is left out. */
    private static Map<String, Set<String>> dependencies() {
        var needs = new TreeMap<String, Set<String>>();
        for (JavaClass from : OurClasses.all()) {
            Set<String> known = needs.computeIfAbsent(OurClasses.outermost(from), name -> new TreeSet<>());
            for (Dependency dependency : from.getDirectDependenciesFromSelf()) {
                JavaClass to = dependency.getTargetClass().getBaseComponentType();
                if (OurClasses.isOurs(to)) {
                    known.add(OurClasses.outermost(to));
                }
            }
        }
        return needs;
    }

    /** The strongly connected components, largest first, by Kosaraju's two walks. {@code O(classes + dependencies)}. */
    private static List<Set<String>> cycles(Map<String, Set<String>> needs) {
        var needed = new HashMap<String, Set<String>>();
        needs.forEach((from, to) -> to.forEach(
                t -> needed.computeIfAbsent(t, name -> new HashSet<>()).add(from)));
        var order = new ArrayDeque<String>();
        var seen = new HashSet<String>();
        for (String start : needs.keySet()) {
            walk(start, needs, seen, order);
        }
        var cycles = new ArrayList<Set<String>>();
        seen.clear();
        for (String start : order) {
            var cycle = new ArrayDeque<String>();
            walk(start, needed, seen, cycle);
            if (!cycle.isEmpty()) {
                cycles.add(new TreeSet<>(cycle));
            }
        }
        cycles.sort(Comparator.comparingInt(cycle -> -cycle.size()));
        return cycles;
    }

    /** Puts what can be reached and was not seen in front of a queue, each class after all that it leads to. */
    private static void walk(
            String start, Map<String, Set<String>> edges, Set<String> seen, Deque<String> finishedFirst) {
        var path = new ArrayDeque<Step>();
        if (seen.add(start)) {
            path.push(new Step(start, edges));
        }
        while (!path.isEmpty()) {
            Step step = path.element();
            if (!step.next.hasNext()) {
                finishedFirst.addFirst(path.pop().name);
                continue;
            }
            String next = step.next.next();
            if (seen.add(next)) {
                path.push(new Step(next, edges));
            }
        }
    }

    private static final class Step {

        private final String name;
        private final java.util.Iterator<String> next;

        Step(String name, Map<String, Set<String>> edges) {
            this.name = name;
            this.next = edges.getOrDefault(name, Set.of()).iterator();
        }
    }
}
