package org.metasched.adapter.soap;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** The site interface as it stands on the wire: what is asked, what is answered. */
class GoldenMessagesTest {

    @Test
    void answersEachRequestAsItIsWrittenDown() throws Exception {
        try (var host = AdapterHost.start(new NotebookScheduler(), 0)) {
            for (var name :
                    new String[] {"available", "windows", "submit", "refused", "state", "whole-site", "cancel"}) {
                var answer = HttpClient.newHttpClient()
                        .send(
                                HttpRequest.newBuilder(host.endpoint())
                                        .header("Content-Type", "application/soap+xml; charset=utf-8")
                                        .POST(BodyPublishers.ofString(envelope(golden(name + ".request.xml"))))
                                        .build(),
                                BodyHandlers.ofString())
                        .body();

                assertThat(body(answer)).as(name).isEqualTo(squeezed(golden(name + ".response.xml")));
            }
        }
    }

    private static String envelope(String body) {
        return "<s:Envelope xmlns:s=\"http://www.w3.org/2003/05/soap-envelope\"><s:Body>" + body
                + "</s:Body></s:Envelope>";
    }

    /** The payload, or the detail of a fault. */
    private static String body(String answer) {
        boolean fault = answer.contains("<soap:Detail>");
        String open = fault ? "<soap:Detail>" : "<soap:Body>";
        String close = fault ? "</soap:Detail>" : "</soap:Body>";
        return squeezed(answer.substring(answer.indexOf(open) + open.length(), answer.indexOf(close)));
    }

    private static String squeezed(String xml) {
        return xml.strip().replaceAll(">\\s+<", "><");
    }

    private static String golden(String name) throws Exception {
        try (var stream = GoldenMessagesTest.class.getResourceAsStream("/golden/" + name)) {
            return new String(Objects.requireNonNull(stream, name).readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
