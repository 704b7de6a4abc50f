package org.metasched.it;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Debian's Chromium without a screen, driven by chromedriver over the WebDriver protocol (W3C). */
final class Chromium implements AutoCloseable {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Path BROWSER = Path.of("/usr/bin/chromium");
    private static final Path DRIVER = Path.of("/usr/bin/chromedriver");
    private static final Pattern PORT = Pattern.compile("started successfully on port (\\d+)");

    private final HttpClient http = HttpClient.newHttpClient();
    private final Process driver;
    private final String session;

    Chromium(Path profile) throws IOException, InterruptedException {
        this(profile, "");
    }

    /** @param traced categories of the browser's trace, with commas between them; empty for no trace */
    Chromium(Path profile, String traced) throws IOException, InterruptedException {
        driver = new ProcessBuilder(DRIVER.toString(), "--port=0")
                .redirectErrorStream(true)
                .start();
        String root = "http://127.0.0.1:" + port(driver.inputReader()) + "/session";
        var wish = JSON.createObjectNode();
        var always = wish.putObject("capabilities").putObject("alwaysMatch");
        var logs = always.putObject("goog:loggingPrefs").put("browser", "ALL");
        var options = always.putObject("goog:chromeOptions").put("binary", BROWSER.toString());
        if (!traced.isEmpty()) {
            logs.put("performance", "ALL");
            options.putObject("perfLoggingPrefs").put("enableNetwork", false).put("traceCategories", traced);
        }
        var arguments = options.putArray("args");
        Stream.of(
                        "--headless=new",
                        "--no-sandbox",
                        "--disable-gpu",
                        "--disable-dev-shm-usage",
                        "--disable-background-networking",
                        "--disable-component-update",
                        "--no-first-run",
                        "--hide-scrollbars",
                        "--user-data-dir=" + profile)
                .forEach(arguments::add);
        session = root + "/" + send(root, wish).path("sessionId").asText();
        // An element of the page that a click leads to is waited for.
        command("timeouts", JSON.createObjectNode().put("implicit", 30_000));
    }

    static boolean isHere() {
        return Files.isExecutable(BROWSER) && Files.isExecutable(DRIVER);
    }

    private static String port(BufferedReader said) throws IOException {
        for (String line = said.readLine(); line != null; line = said.readLine()) {
            var port = PORT.matcher(line);
            if (port.find()) {
                return port.group(1);
            }
        }
        throw new IOException("chromedriver ended before it listened");
    }

    private JsonNode send(String address, ObjectNode body) throws IOException, InterruptedException {
        var answer = http.send(
                HttpRequest.newBuilder(URI.create(address))
                        .POST(BodyPublishers.ofString(body.toString()))
                        .build(),
                BodyHandlers.ofString());
        var value = JSON.readTree(answer.body()).path("value");
        if (answer.statusCode() != 200) {
            throw new IOException(address + ": " + value.path("message").asText(answer.body()));
        }
        return value;
    }

    private JsonNode command(String name, ObjectNode body) throws IOException, InterruptedException {
        return send(session + "/" + name, body);
    }

    void width(int pixels) throws IOException, InterruptedException {
        var metrics = JSON.createObjectNode().put("cmd", "Emulation.setDeviceMetricsOverride");
        metrics.putObject("params")
                .put("width", pixels)
                .put("height", 1000)
                .put("deviceScaleFactor", 1)
                .put("mobile", false);
        command("goog/cdp/execute", metrics);
    }

    /** What the system of the person prefers. */
    void isDark(boolean dark) throws IOException, InterruptedException {
        var media = JSON.createObjectNode().put("cmd", "Emulation.setEmulatedMedia");
        media.putObject("params")
                .putArray("features")
                .addObject()
                .put("name", "prefers-color-scheme")
                .put("value", dark ? "dark" : "light");
        command("goog/cdp/execute", media);
    }

    void open(String address) throws IOException, InterruptedException {
        command("url", JSON.createObjectNode().put("url", address));
    }

    String address() throws IOException, InterruptedException {
        return script("return location.href").asText();
    }

    JsonNode script(String text) throws IOException, InterruptedException {
        var body = JSON.createObjectNode().put("script", text);
        body.putArray("args");
        return command("execute/sync", body);
    }

    /** @param text that calls its last argument when it is done */
    JsonNode waiting(String text) throws IOException, InterruptedException {
        var body = JSON.createObjectNode().put("script", text);
        body.putArray("args");
        return command("execute/async", body);
    }

    /** When the page had its first content, in milliseconds since it was asked for. */
    double firstPaint() throws IOException, InterruptedException {
        return waiting("var done = arguments[0]; new PerformanceObserver(function (list) {"
                        + " list.getEntriesByName('first-contentful-paint').forEach(function (e) { done(e.startTime); }); })"
                        + ".observe({type: 'paint', buffered: true});")
                .asDouble();
    }

    void type(String css, String text) throws IOException, InterruptedException {
        command("element/" + find(css) + "/value", JSON.createObjectNode().put("text", text));
    }

    /** An element that a new answer takes the place of, between being found and clicked, is looked for again. */
    void click(String css) throws IOException, InterruptedException {
        for (int tries = 1; ; tries++) {
            try {
                command("element/" + find(css) + "/click", JSON.createObjectNode());
                return;
            } catch (IOException e) {
                if (tries == 5 || !String.valueOf(e.getMessage()).contains("stale element")) {
                    throw e;
                }
            }
        }
    }

    /** One after the other, to the element that has the focus; special keys by their WebDriver code points. */
    void press(String keys) throws IOException, InterruptedException {
        var body = JSON.createObjectNode();
        var source = body.putArray("actions").addObject().put("type", "key").put("id", "keyboard");
        var actions = source.putArray("actions");
        keys.codePoints().mapToObj(Character::toString).forEach(key -> {
            actions.addObject().put("type", "keyDown").put("value", key);
            actions.addObject().put("type", "keyUp").put("value", key);
        });
        command("actions", body);
    }

    /** The zone of the person's system. */
    void zone(String id) throws IOException, InterruptedException {
        var zone = JSON.createObjectNode().put("cmd", "Emulation.setTimezoneOverride");
        zone.putObject("params").put("timezoneId", id);
        command("goog/cdp/execute", zone);
    }

    private String find(String css) throws IOException, InterruptedException {
        return command(
                        "element",
                        JSON.createObjectNode().put("using", "css selector").put("value", css))
                .elements()
                .next()
                .asText();
    }

    /** What the browser has called an error since the last look. */
    List<String> complaints() throws IOException, InterruptedException {
        List<String> complaints = new ArrayList<>();
        for (var entry : command("se/log", JSON.createObjectNode().put("type", "browser"))) {
            if (entry.path("level").asText().equals("SEVERE")) {
                complaints.add(entry.path("message").asText());
            }
        }
        return complaints;
    }

    /** The names and times, in microseconds, of what the browser has traced since the last look. */
    List<Map.Entry<String, Long>> trace() throws IOException, InterruptedException {
        List<Map.Entry<String, Long>> events = new ArrayList<>();
        for (var entry : command("se/log", JSON.createObjectNode().put("type", "performance"))) {
            var message = JSON.readTree(entry.path("message").asText()).path("message");
            if (message.path("method").asText().equals("Tracing.dataCollected")) {
                var event = message.path("params");
                events.add(
                        Map.entry(event.path("name").asText(), event.path("ts").asLong()));
            }
        }
        return events;
    }

    /** A command of the devtools protocol. */
    JsonNode devtools(String name) throws IOException, InterruptedException {
        var body = JSON.createObjectNode().put("cmd", name);
        body.putObject("params");
        return command("goog/cdp/execute", body);
    }

    /** What the browser counts of the page, by the names of the devtools protocol. */
    Map<String, Double> metrics() throws IOException, InterruptedException {
        devtools("Performance.enable");
        Map<String, Double> metrics = new HashMap<>();
        devtools("Performance.getMetrics")
                .path("metrics")
                .forEach(m ->
                        metrics.put(m.path("name").asText(), m.path("value").asDouble()));
        return metrics;
    }

    /** The page as it is seen, down to its end. */
    void picture(Path file) throws IOException, InterruptedException {
        var shot = JSON.createObjectNode().put("cmd", "Page.captureScreenshot");
        shot.putObject("params").put("captureBeyondViewport", true).put("format", "png");
        Files.createDirectories(file.getParent());
        Files.write(
                file,
                Base64.getDecoder()
                        .decode(command("goog/cdp/execute", shot).path("data").asText()));
    }

    @Override
    public void close() throws IOException, InterruptedException {
        http.send(HttpRequest.newBuilder(URI.create(session)).DELETE().build(), BodyHandlers.discarding());
        driver.destroy();
        driver.waitFor();
    }
}
