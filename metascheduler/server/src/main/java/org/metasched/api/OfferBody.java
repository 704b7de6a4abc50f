package org.metasched.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.metasched.adapter.DisplayText;
import org.metasched.adapter.Need;
import org.metasched.agreement.AgreementOffer;
import org.metasched.agreement.AgreementRequest;
import org.metasched.agreement.AgreementTemplate;
import org.metasched.agreement.OnDegraded;
import org.metasched.agreement.RequestedPart;
import org.metasched.agreement.TemplateKey;
import org.metasched.choice.Preference;
import org.metasched.client.AgreementClient;
import org.metasched.client.OfferWriter;
import org.metasched.client.OfferWriter.OfferContent;
import org.metasched.client.OfferWriter.Part;
import org.metasched.client.OfferWriter.Stage;
import org.metasched.negotiation.CoAllocationRequest;
import org.metasched.negotiation.SplitRequest;
import org.metasched.negotiation.TemporalConstraint;
import org.w3c.dom.Document;

/**
 * A request in JSON. It is turned into the WS-Agreement document that is offered, stored and served, and made from a request that was
 * understood. Readers throw {@link IllegalArgumentException} with a sentence.
 */
record OfferBody(JsonNode json) {

    private static final Set<String> REQUEST_KEYS =
            Set.of(("parts stages duration earliest deadline prefer ifDegraded program initiator label users"
                            + " project remark " + TemplateBody.KEY)
                    .split(" "));
    private static final Set<String> CHANGE_KEYS = Stream.concat(REQUEST_KEYS.stream(), Stream.of("nodes"))
            .filter(key -> !key.equals("program") && !key.equals(TemplateBody.KEY))
            .collect(Collectors.toSet());
    private static final Set<String> PART_KEYS =
            Set.of(("site requirements rank nodes cores properties bandwidth feature licences split stage").split(" "));
    private static final Set<String> STAGE_KEYS = Set.of("name", "duration", "after");
    private static final Set<String> AFTER_KEYS = Set.of("stage", "from", "lag", "within");
    private static final Set<String> SPLIT_KEYS = Set.of("leastPiece", "mostPieces", "multipleOf", "overhead");
    private static final Set<String> PROGRAM_KEYS = Set.of("command", "perNode", "together");

    /**
     * The offer as a document.
     *
     * @param usual template of a body that names none
     * @param templates templates that the body may name
     * @param id the initiator's own name for the agreement
     * @param caller name of the caller; the initiator unless the body names another
     */
    String document(TemplateKey usual, Supplier<List<AgreementTemplate>> templates, String id, String caller) {
        JsonFields.checkKeys(json, REQUEST_KEYS, "request");
        String initiator = JsonFields.text(json, "initiator").orElse(caller);
        var document = isFromTemplate()
                ? TemplateBody.offer(json, templates.get(), id, initiator)
                : OfferWriter.write(usual, content(id, initiator));
        return AgreementClient.text(completed(document));
    }

    boolean isFromTemplate() {
        return json.has(TemplateBody.KEY);
    }

    private OfferContent content(String id, String initiator) {
        return new OfferContent(
                id,
                initiator,
                stages(),
                JsonFields.time(json, "earliest"),
                JsonFields.time(json, "deadline"),
                JsonFields.text(json, "prefer")
                        .map(word -> Preference.of(word)
                                .orElseThrow(() -> JsonFields.unknown("prefer", word, "start, rank or cost")))
                        .orElse(Preference.START));
    }

    /** Adds label, users, project, policy and program to the document. */
    private Document completed(Document document) {
        OfferWriter.share(
                document,
                JsonFields.text(json, "label"),
                JsonFields.texts(json, "users"),
                JsonFields.text(json, "project"));
        JsonFields.text(json, "ifDegraded")
                .map(word -> OnDegraded.of(word)
                        .orElseThrow(() -> JsonFields.unknown("ifDegraded", word, "tell, end, replace or renegotiate")))
                .ifPresent(policy -> OfferWriter.onDegraded(document, policy));
        if (json.has("program")) {
            var program = JsonFields.object(json.get("program"), PROGRAM_KEYS, "program");
            var command = JsonFields.texts(program, "command");
            if (command.isEmpty()) {
                throw new IllegalArgumentException("The command of the program must have at least one word.");
            }
            OfferWriter.run(
                    document,
                    command,
                    JsonFields.number(program, "perNode").orElse(1),
                    JsonFields.duration(program, "together"));
        }
        return document;
    }

    private List<Stage> stages() {
        Map<String, List<Part>> parts = new LinkedHashMap<>();
        for (var part : JsonFields.list(json, "parts", CoAllocationRequest.MOST_PARTS)) {
            JsonFields.object(part, PART_KEYS, "part");
            parts.computeIfAbsent(JsonFields.text(part, "stage").orElse(OfferWriter.SERVICE), name -> new ArrayList<>())
                    .add(part(part));
        }
        if (!json.has("stages")) {
            if (!parts.keySet().equals(Set.of(OfferWriter.SERVICE))) {
                throw new IllegalArgumentException(
                        parts.isEmpty()
                                ? "The parts are missing."
                                : "A part names a stage, but the stages are missing.");
            }
            return List.of(new Stage(parts.getOrDefault(OfferWriter.SERVICE, List.of()), duration(json)));
        }
        List<Stage> stages = new ArrayList<>();
        for (var stage : JsonFields.list(json, "stages", CoAllocationRequest.MOST_PARTS)) {
            JsonFields.object(stage, STAGE_KEYS, "stage");
            String name = JsonFields.text(stage, "name")
                    .orElseThrow(() -> new IllegalArgumentException("A stage has no name."));
            var own = Optional.ofNullable(parts.remove(name))
                    .orElseThrow(() -> new IllegalArgumentException(
                            "The stage (" + DisplayText.of(name) + ") has no parts, or comes twice."));
            var lags = JsonFields.list(stage, "after", CoAllocationRequest.MOST_PARTS).stream()
                    .map(after -> lag(JsonFields.object(after, AFTER_KEYS, "after"), name))
                    .toList();
            stages.add(new Stage(name, own, duration(stage.has("duration") ? stage : json), lags));
        }
        if (!parts.isEmpty()) {
            throw new IllegalArgumentException(
                    "No stage is called " + DisplayText.of(parts.keySet().toString()) + ".");
        }
        return stages;
    }

    private static TemporalConstraint lag(JsonNode after, String stage) {
        String from = JsonFields.text(after, "from").orElse("end");
        if (!Set.of("start", "end").contains(from)) {
            throw JsonFields.unknown("from", from, "start or end");
        }
        return new TemporalConstraint(
                JsonFields.text(after, "stage").orElse(""),
                stage,
                from.equals("end"),
                JsonFields.duration(after, "lag").orElse(Duration.ZERO),
                JsonFields.duration(after, "within"));
    }

    private static Part part(JsonNode part) {
        var site = JsonFields.text(part, "site").filter(name -> !name.isEmpty());
        var requirements = JsonFields.text(part, "requirements").filter(expression -> !expression.isEmpty());
        var rank = JsonFields.text(part, "rank").filter(expression -> !expression.isEmpty());
        if (site.isPresent() && (requirements.isPresent() || rank.isPresent())) {
            throw new IllegalArgumentException("A part names its site, or its requirements and rank, not both.");
        }
        Optional<SplitRequest> split = part.has("split")
                ? Optional.of(split(JsonFields.object(part.get("split"), SPLIT_KEYS, "split"), site.isPresent()))
                : Optional.empty();
        return new Part(
                site,
                site.isPresent() ? Optional.empty() : requirements.or(() -> Optional.of("true")),
                rank,
                need(part),
                split);
    }

    private static SplitRequest split(JsonNode split, boolean hasSite) {
        if (hasSite) {
            throw new IllegalArgumentException("A part that names its site cannot be split.");
        }
        return new SplitRequest(
                JsonFields.number(split, "leastPiece").orElse(1),
                JsonFields.number(split, "mostPieces").orElse(SplitRequest.USUAL_PIECES),
                JsonFields.number(split, "multipleOf").orElse(1),
                JsonFields.number(split, "overhead").orElse(0));
    }

    private static Need need(JsonNode part) {
        long kinds = List.of("nodes", "bandwidth", "licences").stream()
                .filter(kind -> part.has(kind))
                .count();
        if (kinds != 1) {
            throw new IllegalArgumentException(
                    "A part must have one of nodes, bandwidth and licences, not " + kinds + ".");
        }
        if (part.has("nodes")) {
            return new Need.Nodes(
                    JsonFields.number(part, "nodes").orElseThrow(),
                    JsonFields.number(part, "cores").orElse(1),
                    new TreeSet<>(JsonFields.texts(part, "properties")));
        }
        return part.has("bandwidth")
                ? new Need.Bandwidth(JsonFields.number(part, "bandwidth").orElseThrow())
                : new Need.Licences(
                        JsonFields.text(part, "feature").orElse(""),
                        JsonFields.number(part, "licences").orElseThrow());
    }

    private static Duration duration(JsonNode json) {
        return JsonFields.duration(json, "duration")
                .orElseThrow(() -> new IllegalArgumentException("The duration is missing."));
    }

    /** The request as JSON without its program. The JSON makes the same request again if {@link OfferWriter#content} can express it. */
    static ObjectNode of(AgreementRequest request) {
        var json = ApiAnswer.object();
        var services =
                request.parts().stream().map(RequestedPart::service).distinct().toList();
        boolean hasStages = services.size() > 1 || !request.lags().isEmpty();
        var parts = json.putArray("parts");
        for (var part : request.parts()) {
            var entry = parts.addObject();
            part.site()
                    .ifPresentOrElse(
                            site -> entry.put("site", site.value()),
                            () -> part.requirements().ifPresent(r -> entry.put("requirements", r)));
            part.rank().ifPresent(rank -> entry.put("rank", rank));
            putNeed(entry, part.request().need());
            part.split()
                    .ifPresent(split -> entry.putObject("split")
                            .put("leastPiece", split.leastPiece())
                            .put("mostPieces", split.mostPieces())
                            .put("multipleOf", split.multipleOf())
                            .put("overhead", split.overhead()));
            if (hasStages) {
                entry.put("stage", part.service());
            }
        }
        json.put("duration", request.parts().get(0).request().duration().toString());
        if (hasStages) {
            services.forEach(service -> putStage(json.withArray("stages").addObject(), service, request));
        }
        request.earliest().ifPresent(time -> json.put("earliest", time.toString()));
        request.deadline().ifPresent(time -> json.put("deadline", time.toString()));
        if (request.preference() != Preference.START) {
            json.put("prefer", request.preference().word());
        }
        return json;
    }

    /** The request as JSON, with the label, users, project and policy of its offer. */
    static ObjectNode of(AgreementOffer offer, AgreementRequest request) {
        var json = of(request);
        putLabelAndUsers(json, offer);
        offer.onDegraded().ifPresent(policy -> json.put("ifDegraded", policy.word()));
        return json;
    }

    /** Puts an offer's label, users and project. */
    static void putLabelAndUsers(ObjectNode json, AgreementOffer offer) {
        offer.label().ifPresent(label -> json.put("label", label));
        offer.requester().ifPresent(who -> {
            who.users().forEach(json.withArray("users")::add);
            who.project().ifPresent(project -> json.put("project", project));
        });
    }

    private static void putStage(ObjectNode stage, String name, AgreementRequest request) {
        stage.put("name", name);
        request.parts().stream()
                .filter(part -> part.service().equals(name))
                .findFirst()
                .ifPresent(
                        part -> stage.put("duration", part.request().duration().toString()));
        request.lags().stream().filter(lag -> lag.to().equals(name)).forEach(lag -> {
            var after = stage.withArray("after")
                    .addObject()
                    .put("stage", lag.from())
                    .put("from", lag.afterEnd() ? "end" : "start")
                    .put("lag", lag.least().toString());
            lag.most().ifPresent(most -> after.put("within", most.toString()));
        });
    }

    /** Puts the keys of a need, and returns the entry. */
    static ObjectNode putNeed(ObjectNode entry, Need need) {
        return need.fold(
                nodes -> {
                    entry.put("nodes", nodes.count());
                    if (nodes.coresPerNode() > 1) {
                        entry.put("cores", nodes.coresPerNode());
                    }
                    if (!nodes.properties().isEmpty()) {
                        nodes.properties().forEach(entry.putArray("properties")::add);
                    }
                    return entry;
                },
                bandwidth -> entry.put("bandwidth", bandwidth.megabitsPerSecond()),
                licences -> entry.put("feature", licences.feature()).put("licences", licences.count()));
    }

    /**
     * Another request as JSON, with this body's program, policy, initiator, label, users and project. A body that names a template is repeated
     * as it is.
     */
    ObjectNode like(AgreementRequest other, String remark) {
        if (isFromTemplate()) {
            return json.deepCopy();
        }
        var written = of(other);
        for (String key : List.of("program", "ifDegraded", "initiator", "label", "users", "project")) {
            if (json.has(key)) {
                written.set(key, json.get(key));
            }
        }
        return remark.isEmpty() ? written : written.put("remark", remark);
    }

    /** The request patched by RFC 7396, with {@code nodes} for a request of one part. */
    static OfferBody merged(ObjectNode request, JsonNode patch) {
        var changed = request.deepCopy();
        var changes = JsonFields.checkKeys(patch, CHANGE_KEYS, "change").<ObjectNode>deepCopy();
        if (changes.has("nodes")) {
            if (changed.path("parts").size() != 1) {
                throw new IllegalArgumentException(
                        "The agreement has several parts: change them as parts, not as nodes.");
            }
            ((ObjectNode) changed.path("parts").get(0)).set("nodes", changes.remove("nodes"));
        }
        merge(changed, changes);
        return new OfferBody(changed);
    }

    private static void merge(ObjectNode target, JsonNode patch) {
        patch.fields().forEachRemaining(field -> {
            if (field.getValue().isNull()) {
                target.remove(field.getKey());
            } else if (field.getValue().isObject()) {
                merge(
                        target.path(field.getKey()) instanceof ObjectNode old ? old : target.putObject(field.getKey()),
                        field.getValue());
            } else {
                target.set(field.getKey(), field.getValue());
            }
        });
    }

    /** Replaces the instant under a key; an instant that has passed is left out. */
    static void put(ObjectNode json, String key, Optional<Instant> time, Instant now) {
        json.remove(key);
        time.filter(now::isBefore).ifPresent(later -> json.put(key, later.toString()));
    }
}
