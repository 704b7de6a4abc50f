package org.metasched.classad;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.metasched.classad.text.Name;

/** An ad whose names stand apart from its shape is like any other ad: beside a map from names in lower case to expressions. */
class OwnNamesTest {

    private final Random random = new Random(20_261_128);
    private int made;

    /** Two names of one hash: 'a' * 31 + 'w' is 'c' * 31 + '9'. */
    private static String ofEqualHash(int number) {
        var name = new StringBuilder("x");
        for (int bit = 0; bit < 9; bit++) {
            name.append((number >> bit & 1) == 0 ? "aw" : "c9");
        }
        return name.toString();
    }

    private String name(int kind) {
        return switch (kind) {
            case 0 -> "Common" + random.nextInt(30);
            case 1 -> ofEqualHash(random.nextInt(400));
            case 2 -> random.nextInt(40) == 0 ? "TARGET" : "Own_" + random.nextInt(90);
            default -> "Own_" + made++ + "_" + random.nextInt(9);
        };
    }

    private String inSomeCase(String name) {
        return random.nextBoolean()
                ? name
                : random.nextBoolean() ? name.toUpperCase(Locale.ROOT) : name.toLowerCase(Locale.ROOT);
    }

    /** The attributes of an ad as they must be: names in lower case, each with its first spelling and its last expression. */
    private record Attributes(Map<String, String> spellings, Map<String, Expr> expressions) {

        void set(String name, Expr expr) {
            String key = name.toLowerCase(Locale.ROOT);
            spellings.putIfAbsent(key, name);
            expressions.put(key, expr);
        }

        void remove(String name) {
            spellings.remove(name.toLowerCase(Locale.ROOT));
            expressions.remove(name.toLowerCase(Locale.ROOT));
        }

        List<Expr> inOrder() {
            return spellings.keySet().stream().map(expressions::get).toList();
        }
    }

    @Test
    void randomAdsAreLikeAMap() throws ClassAdSyntaxException {
        int apart = 0;
        for (int round = 0; round < 1_500; round++) {
            var expected = new Attributes(new LinkedHashMap<>(), new LinkedHashMap<>());
            var builder = new ClassAd.Builder();
            int size = random.nextInt(random.nextInt(20) == 0 ? 700 : 80);
            for (int i = 0; i < size; i++) {
                String name = inSomeCase(name(random.nextInt(5)));
                Expr expr = Literal.of(random.nextInt(1_000));
                builder.set(name, expr);
                expected.set(name, expr);
            }
            ClassAd ad = builder.build();
            apart += ad.shape().names().length < ad.size() ? 1 : 0;
            compare(expected, ad);
            compare(expected, ClassAd.EMPTY.with(ad));
            for (int change = 0; change < 3 && ad.size() > 0; change++) {
                String name = random.nextBoolean() ? inSomeCase(ad.names().get(random.nextInt(ad.size()))) : name(3);
                boolean gone = random.nextBoolean();
                ad = gone ? ad.without(name) : ad.with(name, change);
                if (gone) {
                    expected.remove(name);
                } else {
                    expected.set(name, Literal.of(change));
                }
                compare(expected, ad);
            }
        }
        assertTrue(apart > 500, "only %d ads had names apart from their shape".formatted(apart));
    }

    private void compare(Attributes expected, ClassAd ad) throws ClassAdSyntaxException {
        assertEquals(List.copyOf(expected.spellings().values()), ad.names());
        assertEquals(expected.inOrder(), ad.expressions());
        var visited = new ArrayList<String>();
        ad.forEach((name, expr) -> visited.add(name));
        assertEquals(ad.names(), visited);
        for (String name : ad.names()) {
            String asked = inSomeCase(name);
            assertTrue(ad.has(asked));
            assertEquals(
                    expected.expressions().get(name.toLowerCase(Locale.ROOT)),
                    ad.lookup(asked).orElseThrow());
        }
        assertFalse(ad.has("none"));
        ClassAd read = ClassAd.parse(ad.print());
        assertEquals(ad, read);
        assertEquals(ad.hashCode(), read.hashCode());
        assertEquals(ad.print(), read.print());
        assertEquals(ad.printedNames(), read.printedNames());
        if (!ad.isEmpty()) {
            assertNotEquals(ad, ad.with(ad.names().get(0), 1_000_000));
        }
    }

    /** References remember the index at which the last ad had a name: ads of all kinds in turn, own names and none. */
    @Test
    void matchesFindTheNamesOfEachAd() throws ClassAdSyntaxException {
        var pair = new MatchContext(LookupMode.OLD);
        pair.left(ClassAd.parse("[ Requirements = TARGET.Wanted =?= 7 && Other_1 is undefined ]"));
        for (int round = 0; round < 3_000; round++) {
            int wanted = random.nextInt(9);
            boolean has = random.nextInt(4) > 0;
            int own = random.nextInt(30);
            var text = new StringBuilder("[ Requirements = true; ");
            for (int i = 0; i < own; i++) {
                text.append("R%d_%d = %d; ".formatted(round, i, i));
                if (i == own / 2 && has) {
                    text.append("WANTED = %d; ".formatted(wanted));
                }
            }
            pair.right(ClassAd.parse(text.append("]").toString()));
            assertEquals(has && own > 0 && wanted == 7, pair.symmetricMatch(), text::toString);
        }
    }

    /**
     * The cache of names changes while other threads read ads of the same names. 60,000 rounds fail some six times where the cache is
     * asked twice about a name.
     */
    @Test
    @Tag("full")
    void threadsThatReadTheSameNamesDisturbNoAd() throws InterruptedException {
        var failures = new ConcurrentLinkedQueue<Throwable>();
        List<Thread> threads = IntStream.range(0, 4)
                .mapToObj(i -> new Thread(() -> readSameNames(60_000)))
                .toList();
        threads.forEach(thread -> {
            thread.setUncaughtExceptionHandler((failed, cause) -> failures.add(cause));
            thread.start();
        });
        for (Thread thread : threads) {
            thread.join();
        }
        assertEquals(List.of(), List.copyOf(failures));
    }

    private static void readSameNames(int rounds) {
        for (int round = 0; round < rounds; round++) {
            var text = new StringBuilder("[ ");
            for (int i = 0; i < 40; i++) {
                text.append('T')
                        .append(round / 2)
                        .append('_')
                        .append(i)
                        .append(" = ")
                        .append(i)
                        .append("; ");
            }
            ClassAd ad = parsed(text + "]");
            for (int i = 0; i < 40; i += 7) {
                assertEquals(Value.of(i), ad.evaluate("t" + round / 2 + "_" + i));
            }
        }
    }

    private static ClassAd parsed(String text) {
        try {
            return ClassAd.parse(text);
        } catch (ClassAdSyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The limit counts names: a full ad can be overridden, and one name too many is refused aloud. */
    @Test
    void attributesAreNotLostAtTheLimit() {
        ClassAd ad = numbered(20_000, 1);
        ClassAd overridden = ad.with(numbered(20_000, 2));
        assertEquals(20_000, overridden.size());
        assertEquals(Value.of(2), overridden.evaluate("N19999"));
        ClassAd full = numbered(ClassAd.MOST_ATTRIBUTES, 3).with("n7", 4);
        assertEquals(Value.of(4), full.evaluate("N7"));
        assertThrows(IllegalArgumentException.class, () -> full.with("OneMore", 5));
        assertThrows(IllegalArgumentException.class, () -> full.with(numbered(ClassAd.MOST_ATTRIBUTES + 1, 6)));
    }

    private static ClassAd numbered(int count, int value) {
        var builder = new ClassAd.Builder(count);
        for (int i = 0; i < count; i++) {
            builder.set("N" + i, value);
        }
        return builder.build();
    }

    @Test
    void namesOfSidesStayInTheShape() throws ClassAdSyntaxException {
        var text = new StringBuilder("[ my = [ a = 1 ]; b = my.a; ");
        for (int i = 0; i < 20; i++) {
            text.append("Side%d = %d; ".formatted(i, i));
        }
        ClassAd ad = ClassAd.parse(text + "]");
        assertTrue(ad.shape().hidesSide(Name.of("my")));
        assertEquals(Value.of(1), ad.evaluate("b"));
    }
}
