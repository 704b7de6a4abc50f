package org.metasched.adapter.pbs;

import org.junit.jupiter.api.Tag;
import org.metasched.adapter.testkit.StandInContract;

@Tag("full")
class PbsContractIT extends StandInContract {

    PbsContractIT() {
        super(new PbsFactory(), "change-in-place: true");
    }
}
