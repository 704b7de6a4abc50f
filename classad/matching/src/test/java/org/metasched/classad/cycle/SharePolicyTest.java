package org.metasched.classad.cycle;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.metasched.classad.cycle.SharePolicy.Group;

class SharePolicyTest {

    @Test
    void aGroupThatIsNamedTwiceIsRefused() {
        var groups = List.of(new Group("cms", 10, true, false, false), new Group("CMS", 5, true, false, false));

        assertThatThrownBy(() -> SharePolicy.DEFAULT.with(groups)).hasMessage("The group (CMS) must be named once.");
    }

    @Test
    void aShareInPerCentIsRefused() {
        assertThatThrownBy(() -> new Group("cms", 30, false, false, false))
                .hasMessage("The dynamic quota (30.0) of group cms must be from 0 to 1.");
    }
}
