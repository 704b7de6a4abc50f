package org.metasched.adapter.soap;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** One message in the ways in which clients write it: the site must hear the same name each time. */
class MessageEncodingTest {

    private static final String NAME = "Jürgen-€";
    private static AdapterHost host;

    @BeforeAll
    static void serve() {
        host = AdapterHost.start(new NotebookScheduler(), 0);
    }

    @AfterAll
    static void stop() {
        host.close();
    }

    @ParameterizedTest(name = "{0}, {1}, mark {2}, declares {3}")
    @CsvSource({
        "UTF-8,      application/soap+xml,                       false, ''",
        "UTF-8,      text/xml,                                   false, ''",
        "UTF-8,      application/soap+xml,                       false, UTF-8",
        "UTF-8,      application/soap+xml,                       true,  ''",
        "UTF-8,      application/soap+xml; charset=ISO-8859-1,   true,  ''",
        "UTF-16LE,   application/soap+xml,                       true,  ''",
        "UTF-16BE,   text/xml; charset=UTF-16,                   true,  ''",
        "ISO-8859-15,application/soap+xml,                       false, ISO-8859-15",
        "ISO-8859-15,application/soap+xml; charset=ISO-8859-15,  false, ''",
        "UTF-8,      application/soap+xml; charset=\"utf-8\",    false, ISO-8859-1"
    })
    void aNameArrivesAsItWasWritten(String charset, String type, boolean mark, String declared) throws Exception {
        var bytes = new ByteArrayOutputStream();
        if (mark) {
            bytes.writeBytes("\uFEFF".getBytes(Charset.forName(charset)));
        }
        String declaration = declared.isEmpty() ? "" : "<?xml version=\"1.0\" encoding=\"" + declared + "\"?>";
        bytes.writeBytes((declaration + state(type)).getBytes(Charset.forName(charset)));

        var answer = post(type, bytes.toByteArray());

        assertThat(new String(answer.body(), StandardCharsets.UTF_8)).contains("no reservation " + NAME + ".");
        assertThat(answer.headers().firstValue("Content-Type").orElse("")).containsIgnoringCase("utf-8");
    }

    @Test
    void bytesThatAreNoTextAreRefused() throws Exception {
        byte[] latin = state("text/xml").getBytes(Charset.forName("ISO-8859-15"));

        assertThat(new String(post("text/xml", latin).body(), StandardCharsets.UTF_8))
                .contains("cannot be understood");
    }

    @ParameterizedTest
    @ValueSource(strings = {"text/xml; charset=klingon", "text/xml; charset=%%"})
    void aCharsetThatIsNotKnownIsUnsupported(String type) throws Exception {
        var answer = post(type, state("text/xml").getBytes(StandardCharsets.UTF_8));

        assertThat(answer.statusCode())
                .as(new String(answer.body(), StandardCharsets.UTF_8))
                .isEqualTo(415);
        assertThat(new String(answer.body(), StandardCharsets.UTF_8))
                .doesNotContainIgnoringCase("<html")
                .contains("charset");
    }

    @ParameterizedTest
    @ValueSource(strings = {"application/json", "text/plain", "application/octet-stream"})
    void whatIsNoSoapMessageIsUnsupported(String type) throws Exception {
        var answer = post(type, state("text/xml").getBytes(StandardCharsets.UTF_8));

        assertThat(answer.statusCode()).isEqualTo(415);
        assertThat(new String(answer.body(), StandardCharsets.UTF_8)).contains("Fault", "the content type must be");
    }

    private static String state(String type) {
        String soap = type.startsWith("text/xml")
                ? "http://schemas.xmlsoap.org/soap/envelope/"
                : "http://www.w3.org/2003/05/soap-envelope";
        return "<s:Envelope xmlns:s=\"" + soap + "\" xmlns:site=\"urn:metasched:site:1\"><s:Body>"
                + "<site:State><site:Id>" + NAME + "</site:Id></site:State></s:Body></s:Envelope>";
    }

    private static HttpResponse<byte[]> post(String type, byte[] body) throws Exception {
        var request = HttpRequest.newBuilder(host.endpoint())
                .header("Content-Type", type)
                .POST(BodyPublishers.ofByteArray(body))
                .build();
        return HttpClient.newHttpClient().send(request, BodyHandlers.ofByteArray());
    }
}
