package org.metasched.adapter.easy;

import org.metasched.adapter.testkit.StandInContract;

class EasyContractTest extends StandInContract {

    EasyContractTest() {
        super(new EasyFactory(), "nodes: 4", "cores-per-node: 4");
    }
}
