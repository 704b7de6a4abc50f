package org.metasched.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.metasched.adapter.DisplayText;
import org.metasched.agreement.AgreementTemplate;
import org.metasched.client.TemplateBounds;
import org.metasched.client.TemplateOffer;
import org.w3c.dom.Document;

/** Templates as JSON, and requests that name one. */
final class TemplateBody {

    static final String KEY = "template";

    /** Keys whose values are the template's own. */
    private static final Set<String> FIXED_KEYS = Set.of("parts", "stages", "prefer");

    private TemplateBody() {}

    /**
     * The offer of a body that names a template.
     *
     * @param id the initiator's own name for the agreement
     * @throws ProblemException when the sender may use no template of that name
     */
    static Document offer(JsonNode json, List<AgreementTemplate> templates, String id, String initiator) {
        String name = JsonFields.text(json, KEY).orElse("");
        new TreeSet<>(FIXED_KEYS).stream().filter(json::has).findFirst().ifPresent(key -> {
            throw new IllegalArgumentException("The template sets " + key + ": leave it out of the request.");
        });
        var template = templates.stream()
                .filter(candidate -> candidate.key().name().equals(name))
                .findFirst()
                .orElseThrow(() -> new ProblemException(
                        422,
                        "TEMPLATE_UNKNOWN",
                        "The template (" + DisplayText.of(name) + ") must be one of "
                                + templates.stream()
                                        .map(candidate -> candidate.key().name())
                                        .toList() + "."));
        var times = new TemplateOffer.Times(
                JsonFields.time(json, "earliest"),
                JsonFields.time(json, "deadline"),
                JsonFields.duration(json, "duration"));
        return TemplateOffer.of(template.document(), id, initiator, times);
    }

    static Optional<ApiAnswer> answer(List<AgreementTemplate> templates) {
        var json = ApiAnswer.object();
        var list = json.putArray("templates");
        templates.forEach(template -> {
            ObjectNode entry = list.addObject()
                    .put("name", template.key().name())
                    .put("id", template.key().id());
            TemplateBounds.of(template.document()).forEach(entry.putObject("bounds")::put);
            entry.put("document", template.document().text());
        });
        return Optional.of(ApiAnswer.json(json));
    }
}
