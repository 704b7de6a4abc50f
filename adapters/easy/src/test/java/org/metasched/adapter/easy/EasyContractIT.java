package org.metasched.adapter.easy;

import org.junit.jupiter.api.Tag;
import org.metasched.adapter.testkit.StandInContract;

@Tag("full")
class EasyContractIT extends StandInContract {

    EasyContractIT() {
        super(new EasyFactory(), "nodes: 4", "cores-per-node: 4");
    }
}
