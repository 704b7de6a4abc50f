package org.metasched.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.metasched.agreement.OfferDocument;
import org.metasched.client.AgreementClient;
import org.metasched.client.AgreementFaultException;
import org.metasched.client.TemplateOffer;
import org.metasched.client.TemplateOffer.Times;
import org.w3c.dom.Document;

/** Offers by an operator's template that change what it does not leave free, at one server that has it. */
@Timeout(120)
class ChangedOffersTest {

    private static final Path EXAMPLES =
            Path.of(System.getProperty("metasched.root", "../..")).resolve("examples/templates");

    @TempDir
    private static Path folder;

    private static ServerAssembly server;

    @BeforeAll
    static void serve() throws Exception {
        Path templates = Files.createDirectory(folder.resolve("templates"));
        Files.copy(EXAMPLES.resolve("vis-afternoon.xml"), templates.resolve("vis-afternoon.xml"));
        server = OperatorTemplatesTest.served(folder.resolve("data"), templates, "");
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "<jsdl:Exact>8</jsdl:Exact> | <jsdl:Exact>9</jsdl:Exact> | TotalResourceCount/Exact must be as in the template, which has there: <jsdl:Exact>8</jsdl:Exact>",
                "count=\"1\" | count=\"2\" | Licences must be as in the template",
                "TotalNodes &gt;= 8 | true | Resources/Constraint must be as in the template",
                ">240< | >90< | item Minutes",
                ">240< | >301< | item Minutes",
                "<t:Duration> | <t:StartTime>2030-01-05T09:00:00</t:StartTime><t:Duration> | zone",
                "</wsag:All> | <wsag:ServiceDescriptionTerm wsag:Name='MORE' wsag:ServiceName='Visualisation'>"
                        + "<jsdl:JobDefinition><jsdl:JobDescription><jsdl:Resources><jsdl:TotalResourceCount><jsdl:Exact>1"
                        + "</jsdl:Exact></jsdl:TotalResourceCount></jsdl:Resources></jsdl:JobDescription></jsdl:JobDefinition>"
                        + "</wsag:ServiceDescriptionTerm></wsag:All> | All must be as in the template",
                "wsag:ServiceName=\"Visualisation\" | wsag:ServiceName=\"Other\" | must be as in the template"
            })
    void anOfferThatChangesWhatIsNotFreeIsRefused(String part, String other, String told) throws Exception {
        String text = AgreementClient.text(offer());
        assertThat(text).contains(part);

        var changed = AgreementClient.offer("offer", text.replaceFirst(Pattern.quote(part), other));

        assertThatThrownBy(() -> client().create(changed))
                .isInstanceOf(AgreementFaultException.class)
                .hasMessageContaining(told);
        assertThat(client().list()).isEmpty();
    }

    private static Document offer() throws Exception {
        var document = new OfferDocument(Files.readString(EXAMPLES.resolve("vis-afternoon.xml")));
        return TemplateOffer.of(document, "a1", "", new Times(Optional.empty(), Optional.empty(), Optional.empty()));
    }

    private static AgreementClient client() {
        return new AgreementClient(server.base(), Duration.ofSeconds(30));
    }
}
