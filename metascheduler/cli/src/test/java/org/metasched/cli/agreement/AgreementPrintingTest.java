package org.metasched.cli.agreement;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.metasched.client.AgreementView;

class AgreementPrintingTest {

    @Test
    void textsOfOthersAreLinesWithoutControlCharacters() {
        var agreement = new AgreementView(
                "ag-1",
                "Rejected",
                Optional.empty(),
                Optional.empty(),
                List.of(),
                1,
                2,
                Optional.of("Site a is full.\nMaybe later."),
                Optional.of("red \u009b31m"),
                List.of(),
                Optional.empty());

        assertThat(AgreementPrinting.lines(agreement))
                .containsExactly(
                        "agreement ag-1 is Rejected", "  label: red ?31m", "  reason: Site a is full.", "Maybe later.");
    }
}
