package org.metasched.adapter.ccs;

import org.junit.jupiter.api.Tag;
import org.metasched.adapter.testkit.StandInContract;

@Tag("full")
class CcsContractIT extends StandInContract {

    CcsContractIT() {
        super(new CcsFactory(), "nodes: 4", "cores-per-node: 4");
    }
}
