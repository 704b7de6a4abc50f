package org.metasched.adapter.soap;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.Socket;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What strangers may send to an adapter. Nothing of it may reach the scheduler, or cost much. */
class HostileMessagesTest {

    private static NotebookScheduler scheduler;
    private static AdapterHost host;
    private static final HttpClient HTTP =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(10)).build();

    @BeforeAll
    static void serve() {
        scheduler = new NotebookScheduler();
        host = AdapterHost.start(scheduler, 0);
    }

    @AfterAll
    static void stop() {
        host.close();
    }

    @Test
    void showsItsWsdlWithTheSixOperationsAndItsOwnAddress() throws Exception {
        var wsdl = HTTP.send(
                        HttpRequest.newBuilder(java.net.URI.create(host.endpoint() + "?wsdl"))
                                .build(),
                        BodyHandlers.ofString())
                .body();

        assertThat(wsdl)
                .contains("location=\"" + host.endpoint() + "\"")
                .contains("ResourceAvailableAt", "Submit", "Cancel", "State", "Bind", "Publish")
                .contains("?xsd=");
    }

    @Test
    void namesADurationThatHasNoFixedLength() throws Exception {
        var answer = post(envelope(
                "<site:ResourceAvailableAt><site:Request><site:Need><site:Nodes count='1' coresPerNode='1'/></site:Need>"
                        + "<site:Duration> P1M </site:Duration></site:Request><site:NotBefore>2026-01-05T08:00:00Z</site:NotBefore>"
                        + "</site:ResourceAvailableAt>"));

        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(answer.body())
                .contains("The duration (P1M) must be of days, hours, minutes and seconds, such as PT90M.");
    }

    @Test
    void saysWhereAMessageIsNotXml() throws Exception {
        var answer = post(envelope("<site:Cancel><site:Id>R1</site:Cancel>"));

        assertThat(answer.statusCode()).isIn(400, 500);
        assertThat(answer.body()).contains("cannot be understood").doesNotContain("\tat ");
    }

    @Test
    void knowsNoEntities() throws Exception {
        var stolen = post("<?xml version=\"1.0\"?><!DOCTYPE x [<!ENTITY e SYSTEM \"file:///etc/passwd\">]>"
                + envelope("<site:Cancel><site:Id>&e;</site:Id></site:Cancel>"));
        var bomb = post("<?xml version=\"1.0\"?><!DOCTYPE x [<!ENTITY a \"aaaaaaaaaa\">"
                + "<!ENTITY b \"&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;\"><!ENTITY c \"&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;\">]>"
                + envelope("<site:Cancel><site:Id>&c;</site:Id></site:Cancel>"));

        assertThat(stolen.statusCode()).isIn(400, 500);
        assertThat(stolen.body()).contains("Fault").doesNotContain("root:");
        assertThat(bomb.statusCode()).isIn(400, 500);
        assertThat(bomb.body()).contains("Fault").doesNotContain("aaaaaaaaaaaaaaaaaaaa");
    }

    @Test
    void refusesABodyOfFiftyMegabytesEarly() throws Exception {
        long before = System.nanoTime();

        assertThat(flood("Content-Length: " + (50 << 20), false))
                .startsWith("HTTP/1.1 413 ")
                .contains("The message is larger than this service takes.");
        assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(20));
    }

    @Test
    void refusesFiftyMegabytesThatComeWithoutTheirLength() throws Exception {
        assertThat(flood("Transfer-Encoding: chunked", true))
                .startsWith("HTTP/1.1 413 ")
                .contains("The message is larger than this service takes.");
    }

    /** What is answered to one who sends until nothing is taken any more; an HTTP client would give up there without reading it. */
    private static String flood(String length, boolean chunked) throws IOException {
        byte[] megabyte = "x".repeat(1 << 20).getBytes(StandardCharsets.UTF_8);
        try (var socket = new Socket(host.endpoint().getHost(), host.endpoint().getPort())) {
            socket.setSoTimeout(20_000);
            var out = socket.getOutputStream();
            try {
                out.write(("POST " + host.endpoint().getPath() + " HTTP/1.1\r\nHost: localhost\r\n"
                                + "Content-Type: application/soap+xml; charset=utf-8\r\n" + length + "\r\n\r\n")
                        .getBytes(StandardCharsets.UTF_8));
                for (int i = 0; i < 50; i++) {
                    out.write((chunked ? "100000\r\n" : "").getBytes(StandardCharsets.UTF_8));
                    out.write(megabyte);
                    out.write((chunked ? "\r\n" : "").getBytes(StandardCharsets.UTF_8));
                }
            } catch (IOException e) {
                // It takes no more, and has answered.
            }
            var answer = new StringBuilder();
            byte[] part = new byte[4096];
            for (int read = 0;
                    read >= 0 && answer.indexOf("takes.") < 0;
                    read = socket.getInputStream().read(part)) {
                answer.append(new String(part, 0, read, StandardCharsets.UTF_8));
            }
            return answer.toString();
        }
    }

    @Test
    void refusesEndlessNesting() throws Exception {
        var answer = post(envelope("<site:Cancel>" + "<a>".repeat(5000) + "</a>".repeat(5000) + "</site:Cancel>"));

        assertThat(answer.statusCode()).isIn(400, 500);
        assertThat(answer.body()).contains("Fault");
    }

    @Test
    void refusesImpossibleAmountsAndTimesAndLeavesNothingBehind() throws Exception {
        for (var count : new String[] {"0", "-5", "2147483647", "99999999999", "many"}) {
            var answer = post(submit(count, "2030-01-05T10:00:00Z", "PT1H"));

            assertThat(answer.body()).as("count " + count).contains("Fault");
        }
        for (var start : new String[] {"2030-01-05T10:00:00", "yesterday", ""}) {
            assertThat(post(submit("4", start, "PT1H")).body())
                    .as("start " + start)
                    .contains("Fault");
        }
        for (var duration : new String[] {"PT0S", "-PT1H", "P1Y", "PT999999999H"}) {
            assertThat(post(submit("4", "2030-01-05T10:00:00Z", duration)).body())
                    .as("duration " + duration)
                    .contains("Fault");
        }
        assertThat(scheduler.byKey).isEmpty();
    }

    @Test
    void namesTheImpossibleAmount() throws Exception {
        var answer = post(submit("0", "2030-01-05T10:00:00Z", "PT1H"));

        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(answer.body())
                .contains(":Sender<", "BadRequest")
                .contains("The number of nodes (0) must be from 1 to");
    }

    @Test
    void saysThatItIsUp() throws Exception {
        var answer = HTTP.send(
                HttpRequest.newBuilder(host.endpoint().resolve("/health")).build(), BodyHandlers.ofString());

        assertThat(answer.body()).contains("\"status\":\"up\"").contains("fzj");
    }

    private static String submit(String count, String start, String duration) {
        return envelope("<site:Submit><site:Key>k1</site:Key><site:Request><site:Need><site:Nodes count=\"" + count
                + "\" coresPerNode=\"1\"/></site:Need><site:Duration>" + duration
                + "</site:Duration></site:Request><site:Start>" + start + "</site:Start></site:Submit>");
    }

    private static String envelope(String body) {
        return "<s:Envelope xmlns:s=\"http://www.w3.org/2003/05/soap-envelope\" xmlns:site=\"urn:metasched:site:1\">"
                + "<s:Body>" + body + "</s:Body></s:Envelope>";
    }

    private static HttpResponse<String> post(String message) throws Exception {
        return HTTP.send(request(BodyPublishers.ofString(message)), BodyHandlers.ofString());
    }

    private static HttpRequest request(HttpRequest.BodyPublisher body) {
        return HttpRequest.newBuilder(host.endpoint())
                .timeout(Duration.ofSeconds(60))
                .header("Content-Type", "application/soap+xml; charset=utf-8")
                .POST(body)
                .build();
    }
}
