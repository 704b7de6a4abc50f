package org.metasched.store;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.net.URI;
import java.time.Duration;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.metasched.adapter.JobStatus;
import org.metasched.adapter.Program;
import org.metasched.adapter.Program.Limit;
import org.metasched.adapter.Program.Transfer;
import org.metasched.adapter.Requester;
import org.metasched.agreement.ProgramRun;

/** Programs, and how far they are, as JSON. */
final class ProgramJson {

    private ProgramJson() {}

    static ObjectNode write(ProgramRun run) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.set("program", write(run.program()));
        run.requester().ifPresent(who -> json.put("requester", who.subject()));
        var status = run.status();
        json.put("secret", run.secret()).put("state", status.state().name()).put("id", status.id());
        status.exitCode().ifPresent(code -> json.put("exitCode", code));
        return json.put("output", status.output()).put("detail", status.detail());
    }

    static ProgramRun readRun(JsonNode json) {
        return new ProgramRun(
                read(json.get("program")),
                text(json, "requester").map(Requester::new),
                json.get("secret").asText(),
                new JobStatus(
                        JobStatus.State.valueOf(json.get("state").asText()),
                        json.get("id").asText(),
                        Optional.ofNullable(json.get("exitCode")).map(JsonNode::asInt),
                        json.get("output").asText(),
                        json.get("detail").asText()));
    }

    static ObjectNode write(Program program) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("executable", program.executable());
        program.arguments().forEach(json.putArray("arguments")::add);
        ObjectNode environment = json.putObject("environment");
        program.environment().forEach(environment::put);
        program.directory().ifPresent(path -> json.put("directory", path));
        program.input().ifPresent(path -> json.put("input", path));
        program.output().ifPresent(path -> json.put("output", path));
        program.error().ifPresent(path -> json.put("error", path));
        json.put("processes", program.processes()).put("perNode", program.perNode());
        ObjectNode limits = json.putObject("limits");
        program.limits().forEach((limit, amount) -> limits.put(limit.name(), amount));
        var transfers = json.putArray("transfers");
        for (var transfer : program.transfers()) {
            ObjectNode entry = transfers.addObject().put("name", transfer.name());
            transfer.source().ifPresent(place -> entry.put("source", place.toString()));
            transfer.target().ifPresent(place -> entry.put("target", place.toString()));
            entry.put("append", transfer.append()).put("keep", transfer.keep()).put("delete", transfer.delete());
        }
        program.together().ifPresent(gate -> json.put("together", gate.toString()));
        if (!program.sweep().isEmpty()) {
            program.sweep().forEach(one -> json.withArray("/sweep").add(write(one)));
        }
        return json;
    }

    static Program read(JsonNode json) {
        Map<String, String> environment = new LinkedHashMap<>();
        json.get("environment")
                .fields()
                .forEachRemaining(entry ->
                        environment.put(entry.getKey(), entry.getValue().asText()));
        Map<Limit, Long> limits = new EnumMap<>(Limit.class);
        json.get("limits")
                .fields()
                .forEachRemaining(entry -> limits.put(
                        Limit.valueOf(entry.getKey()), entry.getValue().asLong()));
        return new Program(
                json.get("executable").asText(),
                AgreementJson.list(json.get("arguments"), JsonNode::asText),
                environment,
                text(json, "directory"),
                text(json, "input"),
                text(json, "output"),
                text(json, "error"),
                json.get("processes").asInt(),
                json.get("perNode").asInt(),
                limits,
                AgreementJson.list(json.get("transfers"), ProgramJson::readTransfer),
                text(json, "together").map(Duration::parse),
                json.has("sweep") ? AgreementJson.list(json.get("sweep"), ProgramJson::read) : List.of());
    }

    private static Transfer readTransfer(JsonNode json) {
        return new Transfer(
                json.get("name").asText(),
                text(json, "source").map(URI::create),
                text(json, "target").map(URI::create),
                json.get("append").asBoolean(),
                json.get("keep").asBoolean(),
                json.get("delete").asBoolean());
    }

    private static Optional<String> text(JsonNode json, String key) {
        return Optional.ofNullable(json.get(key)).map(JsonNode::asText);
    }
}
