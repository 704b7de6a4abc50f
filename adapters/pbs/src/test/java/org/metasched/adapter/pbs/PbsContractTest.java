package org.metasched.adapter.pbs;

import org.metasched.adapter.testkit.StandInContract;

class PbsContractTest extends StandInContract {

    PbsContractTest() {
        super(new PbsFactory());
    }
}
