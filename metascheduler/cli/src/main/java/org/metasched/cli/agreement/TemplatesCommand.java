package org.metasched.cli.agreement;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.metasched.agreement.OfferDocument;
import org.metasched.cli.output.OutputOptions;
import org.metasched.cli.server.AgreementCalls;
import org.metasched.cli.server.ServerOption;
import org.metasched.client.AgreementClient;
import org.metasched.soap.TemplateBounds;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Shows what offers can be made from. */
@Command(
        name = "templates",
        mixinStandardHelpOptions = true,
        description = "Shows the agreement templates that a server has on offer, and what their constraints allow; "
                + "with -v as documents.")
public final class TemplatesCommand implements Callable<Integer> {

    @Mixin
    private OutputOptions output = new OutputOptions();

    @Mixin
    private ServerOption server = new ServerOption();

    @Override
    public Integer call() {
        var templates = AgreementCalls.on(server, AgreementClient::templates);
        if (output.json()) {
            output.printJson(Map.of("templates", json(templates)));
            return 0;
        }
        for (var template : templates) {
            var key = AgreementClient.keyOf(template);
            output.out().println(key.name() + " " + key.id());
            TemplateBounds.of(template).forEach((item, bounds) -> output.out().println("  " + item + ": " + bounds));
            if (output.verbose()) {
                output.out().println(template.text());
            }
        }
        output.out().flush();
        return 0;
    }

    private static List<Map<String, Object>> json(List<OfferDocument> templates) {
        List<Map<String, Object>> list = new ArrayList<>();
        for (var template : templates) {
            var key = AgreementClient.keyOf(template);
            Map<String, Object> entry = new LinkedHashMap<>();
            entry.put("name", key.name());
            entry.put("id", key.id());
            entry.put("document", template.text());
            list.add(entry);
        }
        return list;
    }
}
