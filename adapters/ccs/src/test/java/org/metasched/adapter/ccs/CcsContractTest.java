package org.metasched.adapter.ccs;

import org.metasched.adapter.testkit.StandInContract;

class CcsContractTest extends StandInContract {

    CcsContractTest() {
        super(new CcsFactory(), "nodes: 4", "cores-per-node: 4");
    }
}
