package org.metasched.example.gang;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.metasched.classad.ClassAd;
import org.metasched.classad.ReadOptions;
import org.metasched.classad.gang.CycleOutcome;
import org.metasched.classad.gang.Gang;
import org.metasched.classad.gang.GangAlgorithm;
import org.metasched.classad.gang.GangCycle;
import org.metasched.classad.gang.GangPool;
import org.metasched.classad.gang.PortedAd;

class LicenseGangTest {

    @ParameterizedTest
    @EnumSource
    void bindsEachJobToAWorkstationOnWhichItsSeatIsValid(GangAlgorithm algorithm) throws Exception {
        List<PortedAd> jobs = ads("jobs.ads").stream().map(PortedAd::of).toList();
        var offers = new ArrayList<>(ads("workstations.ads"));
        offers.addAll(ads("licences.ads"));

        CycleOutcome outcome = GangCycle.run(jobs, new GangPool(offers), algorithm);

        assertThat(outcome.assignments().stream()
                        .map(a -> a.root().name() + " "
                                + a.gang().map(LicenseGangTest::bound).orElse(Map.of())))
                .containsExactly(
                        "flow-17 {node=plover, seat=aero3d-seat-1}",
                        "flow-18 {node=snipe, seat=aero3d-seat-2}",
                        "mesh-3 {}");
    }

    private static List<ClassAd> ads(String file) throws Exception {
        return ClassAd.parseAll(Files.readString(Path.of(file)), ReadOptions.NEW);
    }

    private static Map<String, String> bound(Gang gang) {
        return gang.root().dockings().stream()
                .collect(Collectors.toMap(
                        Gang.Docking::label,
                        docking -> docking.members().get(0).ad().name(),
                        (first, second) -> first,
                        TreeMap::new));
    }
}
