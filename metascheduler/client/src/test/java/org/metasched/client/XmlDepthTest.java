package org.metasched.client;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.metasched.client.xml.XmlTrees;

class XmlDepthTest {

    @Test
    void aDocumentThatIsNestedTooDeeplyForAWalkIsRefusedWithItsPlace() {
        assertThatThrownBy(() -> XmlTrees.parse("offer", "<a>".repeat(100_000) + "</a>".repeat(100_000)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageMatching("offer:1:\\d+: .*200.*");
        assertThatCode(() -> XmlTrees.parse("offer", "<a>".repeat(200) + "</a>".repeat(200)))
                .doesNotThrowAnyException();
    }
}
