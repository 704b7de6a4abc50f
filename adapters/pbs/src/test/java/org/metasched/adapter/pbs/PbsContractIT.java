package org.metasched.adapter.pbs;

import org.junit.jupiter.api.Tag;
import org.metasched.adapter.testkit.StandInContract;

@Tag("slow")
class PbsContractIT extends StandInContract {

    PbsContractIT() {
        super(new PbsFactory());
    }
}
