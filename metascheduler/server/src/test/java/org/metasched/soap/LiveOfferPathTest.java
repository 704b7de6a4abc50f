package org.metasched.soap;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.metasched.fakes.FakeSite;

/** The classes of ours that a live offer passes between the endpoint and the sites, seen on the stacks while a site is asked. */
class LiveOfferPathTest {

    private static final int MOST = 14;

    @Test
    void anOfferPassesFewClassesEachOnce() throws Exception {
        try (var responder = new WsagServer()) {
            var stacks = new ConcurrentLinkedQueue<List<String>>();
            responder.grid.at("fzj").around(() -> {
                stacks.add(classes(Thread.currentThread().getStackTrace()));
                Thread.getAllStackTraces().values().stream()
                        .map(LiveOfferPathTest::classes)
                        .filter(names -> names.contains(AgreementFactoryEndpoint.class.getName()))
                        .forEach(stacks::add);
            });

            assertThat(responder
                            .post("AgreementFactory", WsagServer.golden("create-agreement.soap12.xml"))
                            .statusCode())
                    .isEqualTo(200);

            assertThat(stacks).anyMatch(names -> names.contains(AgreementFactoryEndpoint.class.getName()));
            Set<String> passed = new TreeSet<>();
            for (var names : stacks) {
                assertThat(names).as("classes on one way, each once").doesNotHaveDuplicates();
                passed.addAll(names);
            }
            assertThat(passed).hasSizeLessThanOrEqualTo(MOST);
        }
    }

    /** Classes in the order of the calls; frames of one class that follow each other count once. Lambdas are not classes, and a lane runs what it is handed, as an executor does. */
    private static List<String> classes(StackTraceElement[] stack) {
        var names = new ArrayList<String>();
        Stream.of(stack)
                .filter(frame -> !frame.getMethodName().startsWith("lambda$"))
                .map(StackTraceElement::getClassName)
                .filter(name -> !name.contains("$$Lambda") && !name.equals("org.metasched.sites.SiteLane"))
                .takeWhile(name -> !name.equals("org.metasched.http.HttpServer"))
                .filter(name -> name.startsWith("org.metasched.") && !isFake(name))
                .filter(name -> !name.startsWith("org.metasched.http.") && !name.startsWith("org.metasched.adapter."))
                .forEach(name -> {
                    if (names.isEmpty() || !names.get(names.size() - 1).equals(name)) {
                        names.add(name);
                    }
                });
        return names;
    }

    private static boolean isFake(String name) {
        return name.startsWith(FakeSite.class.getPackageName()) || name.equals(LiveOfferPathTest.class.getName());
    }
}
