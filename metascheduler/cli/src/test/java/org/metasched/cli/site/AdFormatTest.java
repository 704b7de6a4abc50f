package org.metasched.cli.site;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.metasched.classad.ClassAd;

class AdFormatTest {

    @Test
    void valuesAreWrittenAsCondorDoes() throws Exception {
        ClassAd ad = ClassAd.parse("[LoadAvg = 0.138; One = 1.0; Cpus = 2; Name = \"a b\"; Busy = {0.5, \"x\"}]");

        assertThat(AdFormat.parse("{Name}: {LoadAvg} {One} {Cpus} {Cpus > 1} {Gone} {Busy}")
                        .of(ad))
                .isEqualTo("a b: 0.138 1.0 2 true undefined { 0.5,\"x\" }\n");
        assertThat(AdFormat.parse("{strcat(Name, \"\\\\\")} {size(\"}\\\"\")}").of(ad))
                .isEqualTo("a b\\ 2\n");
    }
}
