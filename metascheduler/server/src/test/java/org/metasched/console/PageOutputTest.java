package org.metasched.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.metasched.trust.Authorizer;
import org.metasched.trust.Subject;

class PageOutputTest {

    private static final PageContext VIEW = new PageContext(
            "/console",
            Instant.EPOCH,
            0,
            Authorizer.OPEN,
            new Authorizer.Call(Subject.ANONYMOUS, "", ""),
            "stamp",
            TimeLabels.UTC);

    private static String in(String element, String attribute, String value) {
        return PageOutput.page(
                (out, none, view, model) -> {
                    out.setContext(element, attribute);
                    out.writeUserContent(model);
                },
                VIEW,
                value);
    }

    @Test
    void anAddressThatIsAProgramIsLeftOut() {
        for (String program : List.of("javascript:alert(1)", "  JavaScript:alert(1)", "\tjavascript:alert(1)")) {
            assertThat(in("a", "href", program)).as(program).isEmpty();
        }
        assertThat(in("a", "href", "/console?a=1&b=\"2\"")).isEqualTo("/console?a=1&amp;b=&#34;2&#34;");
    }

    @Test
    void aQuotationMarkEndsNoAttribute() {
        assertThat(in("input", "value", "\" autofocus='x' <b>")).doesNotContain("\"", "'", "<");
        assertThat(in("span", "style", "\"><script>")).doesNotContain("\"", "<");
    }

    @Test
    void anElementIsNotBegunByText() {
        assertThat(in("td", null, "<script>&amp;")).isEqualTo("&lt;script&gt;&amp;amp;");
    }

    @Test
    void charactersThatXmlForbidsOrThatTurnTheTextAreReplaced() {
        String text = "a\u202Eb\u0007c\uD800d\u2066e\uFFFEf\u0085g \uD83D\uDE00\n\t";

        assertThat(in("td", null, text)).isEqualTo("a\uFFFDb\uFFFDc\uFFFDd\uFFFDe\uFFFDf\uFFFDg \uD83D\uDE00\n\t");
        assertThat(in("input", "value", text)).doesNotContain("\u202E", "\u0007", "\uD800d", "\u2066");
    }
}
