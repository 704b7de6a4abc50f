package org.metasched.cli.server;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.metasched.adapter.ConnectionFailure;
import org.metasched.cli.output.ExitCodeException;
import org.metasched.cli.output.ResultMapper;
import org.metasched.trust.ClientCredentials;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** Mixin of the commands that ask a server. */
public final class ServerOption {

    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final ObjectMapper JSON = new ObjectMapper();

    @Spec(Target.MIXEE)
    private CommandSpec spec;

    @Option(
            names = "--server",
            paramLabel = "URL",
            defaultValue = "${env:METASCHED_SERVER:-" + ServerAddress.DEFAULT + "}",
            description = "Base URL of the server, or HOST:PORT; METASCHED_SERVER or ${DEFAULT-VALUE} if not given.")
    private URI server = URI.create(ServerAddress.DEFAULT);

    @Mixin
    private CallerOptions identity = new CallerOptions();

    /** The user's credentials at the server. */
    public ClientCredentials caller() {
        return identity.caller();
    }

    /** The base URL, without a slash at the end. */
    public URI base() {
        return server;
    }

    /** The given address and credentials as options, to be repeated in another command. */
    public List<String> arguments() {
        List<String> arguments = new ArrayList<>(List.of("--server", server.toString()));
        arguments.addAll(identity.given());
        return arguments;
    }

    /** The base URL, after waiting for a server of this machine that is starting there. */
    URI ready() {
        LocalServers.await(server, ProcessHandle::allProcesses, line -> {
            spec.commandLine().getErr().println(line);
            spec.commandLine().getErr().flush();
        });
        return server;
    }

    /** GETs a JSON document. */
    public JsonNode get(String path) throws InterruptedException {
        return answer(to(path));
    }

    /** GETs a JSON document; empty if the server has none there (404). */
    public Optional<JsonNode> find(String path) throws InterruptedException {
        var response = send(to(path));
        return response.statusCode() == 404 ? Optional.empty() : Optional.of(read(response));
    }

    /**
     * GETs the entries of a list, page by page.
     *
     * @param path address of the list, with a query
     * @param title key of the entries in a page
     * @param most greatest number of entries, at least 1
     */
    public List<JsonNode> list(String path, String title, int most) throws InterruptedException {
        List<JsonNode> entries = new ArrayList<>();
        String after = "";
        do {
            JsonNode page = get(path + after);
            page.path(title).forEach(entries::add);
            after = page.has("next")
                    ? "&after=" + URLEncoder.encode(page.path("next").asText(), UTF_8)
                    : "";
        } while (!after.isEmpty() && entries.size() < most);
        return entries.subList(0, Math.min(most, entries.size()));
    }

    /** POSTs a document in XML; the answer is in JSON. */
    public JsonNode post(String path, String xml) throws InterruptedException {
        return answer(to(path).header("Content-Type", "application/xml").POST(BodyPublishers.ofString(xml)));
    }

    /** POSTs a record as JSON; the answer is in JSON. */
    public JsonNode postJson(String path, Object document) throws InterruptedException {
        var body = BodyPublishers.ofString(ResultMapper.json(document));
        return answer(to(path).header("Content-Type", "application/json").POST(body));
    }

    private HttpRequest.Builder to(String path) {
        return HttpRequest.newBuilder(URI.create(ready() + path));
    }

    private JsonNode answer(HttpRequest.Builder request) throws InterruptedException {
        return read(send(request));
    }

    private HttpResponse<String> send(HttpRequest.Builder request) throws InterruptedException {
        URI address = request.build().uri();
        var caller = caller();
        var client = HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(5));
        caller.tls().ifPresent(client::sslContext);
        caller.authorization(address).ifPresent(proof -> request.header("Authorization", proof));
        try {
            return client.build().send(request.timeout(TIMEOUT).build(), BodyHandlers.ofString());
        } catch (IOException e) {
            var failure = ConnectionFailure.of(e);
            throw ExitCodeException.outside("The server at " + address + " does not answer: " + failure.reason() + ".\n"
                    + failure.maybe().replace("there.", "there; 'metasched server' starts one."));
        }
    }

    private static JsonNode read(HttpResponse<String> response) {
        URI address = response.uri();
        try {
            if (response.statusCode() == 400) {
                var problem = JSON.readTree(response.body());
                throw ExitCodeException.badInput(
                        problem.path("reason").asText(problem.path("detail").asText()));
            }
            if (response.statusCode() != 200) {
                throw ExitCodeException.outside("The server at " + address + " answered " + response.statusCode() + "."
                        + (response.statusCode() == 401 ? "\nMaybe it wants a certificate (--cert) or a token." : ""));
            }
            return JSON.readTree(response.body());
        } catch (JsonProcessingException e) {
            throw ExitCodeException.outside("The server at " + address + " answered with something that is not JSON.\n"
                    + "Maybe it is not a metasched server.");
        }
    }
}
