package org.metasched.adapter.soap;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.metasched.wsag.site.JobNameType;
import org.metasched.wsag.site.JobStatusType;
import org.metasched.wsag.site.LimitType;
import org.metasched.wsag.site.ProgramType;

class JobTranslatorTest {

    @Test
    void anUnknownWordIsRefusedWithThoseThatAreKnown() {
        var name = new JobNameType();
        name.setKey("k");
        name.setId("r");
        var status = new JobStatusType();
        status.setName(name);
        status.setState("Sleeping");
        var limit = new LimitType();
        limit.setOf("luck");
        var program = new ProgramType();
        program.getLimit().add(limit);

        assertThatThrownBy(() -> JobTranslator.status(status))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("The state of the job (Sleeping) must be one of [")
                .hasMessageEndingWith("].");
        assertThatThrownBy(() -> JobTranslator.program(program))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("The limit (luck) must be one of [");
    }
}
