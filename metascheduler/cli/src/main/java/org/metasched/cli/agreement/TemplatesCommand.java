package org.metasched.cli.agreement;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.metasched.agreement.OfferDocument;
import org.metasched.cli.server.AgreementCalls;
import org.metasched.cli.server.AskingCommand;
import org.metasched.client.AgreementClient;
import org.metasched.client.TemplateBounds;
import picocli.CommandLine.Command;

/** Shows the templates of offers. */
@Command(
        name = "templates",
        description = "Shows the agreement templates that a server has on offer, and what their constraints allow; "
                + "with -v as documents.")
public final class TemplatesCommand extends AskingCommand implements Callable<Integer> {

    /** @param document the template in XML */
    private record Template(
            String name,
            String id,
            String document,
            @JsonIgnore Map<String, String> bounds) {

        static Template of(OfferDocument template) {
            var key = AgreementClient.keyOf(template);
            return new Template(key.name(), key.id(), template.text(), TemplateBounds.of(template));
        }
    }

    private record Templates(List<Template> templates) {}

    @Override
    public Integer call() {
        var templates = AgreementCalls.on(server, AgreementClient::templates).stream()
                .map(Template::of)
                .toList();
        output.print(
                new Templates(templates),
                out -> templates.forEach(template -> {
                    out.println(template.name() + " " + template.id());
                    template.bounds().forEach((item, bounds) -> out.println("  " + item + ": " + bounds));
                    if (output.verbose()) {
                        out.println(template.document());
                    }
                }));
        return 0;
    }
}
