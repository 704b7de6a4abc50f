package org.metasched.it;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.metasched.adapter.ResourceRequest;
import org.metasched.agreement.AgreementOffer;
import org.metasched.agreement.OfferKey;
import org.metasched.agreement.RequestedPart;
import org.metasched.agreement.making.CreationOutcome.Created;
import org.metasched.bench.PagesBench;
import org.metasched.server.ServerAssembly;

/**
 * The picture of the console in Debian's Chromium without a screen, over the agreements of {@link PagesBench}. Arguments: living and ended
 * agreements, minutes of live updates, 0 for none, a folder that is filled once, and the numbers of sites and days as there. Prints lines of JSON: for each span the milliseconds until
 * its first paint (median and longest of eleven loads), and the frames a second of a zoom and of a move of five seconds each, as the script counts them, and
 * of the zoom as the browser's trace says that they were displayed; or, each minute, what page and server hold after a collection, while an agreement is made or ended every two seconds.
 */
final class ConsoleBench {

    private static final int LOADS = 11;
    private static final Duration PACE = Duration.ofSeconds(2);
    /** Five seconds of one gesture, a step of which each frame makes, with the picture filling the window. */
    private static final String GESTURE = """
            var done = arguments[arguments.length - 1], picture = document.querySelector('svg.gantt'), frames = 0;
            picture.scrollIntoView();
            scrollBy(0, 50);
            var box = picture.getBoundingClientRect();
            function at(name, share, more) {
              var where = {bubbles: true, cancelable: true, clientX: box.left + box.width * share};
              picture.dispatchEvent(new (name === 'wheel' ? WheelEvent : PointerEvent)(name, Object.assign(where, more)));
            }
            %s
            console.timeStamp('begin');
            var begun = performance.now();
            (function frame() {
              var passed = performance.now() - begun;
              if (passed > 5000) { console.timeStamp('end'); at('pointerup', 0.5); done(frames * 1000 / passed); return; }
              frames++;
              %s
              requestAnimationFrame(frame);
            })();
            """;

    private static final String ZOOM =
            GESTURE.formatted("", "at('wheel', 0.6, {ctrlKey: true, deltaY: passed % 2000 < 1000 ? -12 : 12});");
    /** Of a quarter of the time, to and fro. */
    private static final String MOVE = GESTURE.formatted(
            "at('wheel', 0.6, {ctrlKey: true, deltaY: 500}); at('wheel', 0.6, {ctrlKey: true, deltaY: -277}); at('pointerdown', 0.5);",
            "at('pointermove', 0.5 + 0.3 * Math.sin(passed / 300), {buttons: 1});");

    private ConsoleBench() {}

    public static void main(String[] arguments) throws Exception {
        int minutes = Integer.parseInt(arguments[2]);
        Path profile = Files.createTempDirectory("chromium");
        try (var server = PagesBench.start(PagesBench.Books.of(arguments, 3));
                var browser = new Chromium(profile)) {
            browser.width(1400);
            for (String span : minutes > 0 ? List.<String>of() : List.of("hour", "2+days", "month")) {
                picture(browser, server.base() + "/console/picture?span=" + span, span);
            }
            if (minutes > 0) {
                browser.open(server.base() + "/console/picture");
                live(server, browser, minutes);
            }
        }
    }

    /** Of one zoom in a browser of its own, whose trace can be read once. */
    private static List<Long> displayed(String address) throws IOException, InterruptedException {
        try (var browser = new Chromium(Files.createTempDirectory("chromium"), "viz,devtools.timeline")) {
            browser.width(1400);
            browser.open(address);
            browser.waiting(ZOOM);
            var trace = browser.trace();
            var ends = times(trace, "TimeStamp");
            return times(trace, "Display::FrameDisplayed").stream()
                    .filter(t -> t > ends.get(0) && t < ends.get(1))
                    .toList();
        }
    }

    private static List<Long> times(List<Map.Entry<String, Long>> trace, String name) {
        return trace.stream()
                .filter(event -> event.getKey().equals(name))
                .map(Map.Entry::getValue)
                .sorted()
                .toList();
    }

    private static void picture(Chromium browser, String address, String span)
            throws IOException, InterruptedException {
        double[] paints = new double[LOADS];
        for (int i = 0; i < LOADS; i++) {
            browser.open(address);
            paints[i] = browser.firstPaint();
        }
        Arrays.sort(paints);
        int bars = browser.script("return document.querySelectorAll('.bar').length")
                .asInt();
        double before = browser.metrics().getOrDefault("ProcessTime", 0.0);
        double asked = browser.waiting(ZOOM).asDouble();
        double cpu = (browser.metrics().getOrDefault("ProcessTime", 0.0) - before) * 1e3 / (asked * 5);
        double moved = browser.waiting(MOVE).asDouble();
        var drawn = displayed(address);
        long[] gaps = new long[Math.max(1, drawn.size() - 1)];
        for (int i = 1; i < drawn.size(); i++) {
            gaps[i - 1] = drawn.get(i) - drawn.get(i - 1);
        }
        Arrays.sort(gaps);
        System.out.printf(
                Locale.ROOT,
                "{\"span\":\"%s\",\"bars\":%d,\"paint\":%.0f,\"paintLongest\":%.0f,\"framesOfScript\":%.0f,\"framesOfMove\":%.0f,\"cpuOfFrame\":%.1f,\"framesDisplayed\":%.0f,"
                        + "\"gap95\":%.0f}%n",
                span.replace('+', ' '),
                bars,
                paints[LOADS / 2],
                paints[LOADS - 1],
                asked,
                moved,
                cpu,
                drawn.size() < 2 ? 0 : (drawn.size() - 1) * 1e6 / (drawn.get(drawn.size() - 1) - drawn.get(0)),
                gaps[gaps.length * 95 / 100] / 1e3);
    }

    private static void live(ServerAssembly server, Chromium browser, int minutes) throws Exception {
        var last = Optional.<Created>empty();
        long begun = System.nanoTime();
        String seen = "";
        int updates = 0;
        for (int turn = 0; turn <= minutes * 30; turn++) {
            if (turn % 30 == 0) {
                told(browser, turn / 30, updates);
            }
            if (last.isPresent()) {
                server.agreements().end(last.get().agreement().id(), "");
                last = Optional.empty();
            } else {
                last = server.agreements().offer(offer(server, turn)) instanceof Created made
                        ? Optional.of(made)
                        : Optional.empty();
            }
            String now = browser.script("return document.querySelector('header time').dateTime")
                    .asText();
            updates += now.equals(seen) ? 0 : 1;
            seen = now;
            long next = begun + PACE.toNanos() * (turn + 1) - System.nanoTime();
            Thread.sleep(Math.max(0, next / 1_000_000));
        }
    }

    private static void told(Chromium browser, int minute, int updates) throws IOException, InterruptedException {
        browser.devtools("HeapProfiler.collectGarbage");
        var page = browser.metrics();
        System.gc();
        double server = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed() / 1e6;
        System.out.printf(
                Locale.ROOT,
                "{\"minute\":%d,\"updates\":%d,\"pageHeapMB\":%.2f,\"pageNodes\":%.0f,\"pageListeners\":%.0f,\"serverHeapMB\":%.1f}%n",
                minute,
                updates,
                page.getOrDefault("JSHeapUsedSize", 0.0) / 1e6,
                page.getOrDefault("Nodes", 0.0),
                page.getOrDefault("JSEventListeners", 0.0),
                server);
    }

    private static AgreementOffer offer(ServerAssembly server, int turn) {
        return ConsoleServer.offer(
                server,
                new OfferKey("CN=live", "live" + turn + "-" + System.nanoTime()),
                "bench",
                RequestedPart.at("site-" + turn % 20, ResourceRequest.nodes(1, Duration.ofHours(1))));
    }
}
