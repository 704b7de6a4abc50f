package org.metasched.leases;

import static org.metasched.leases.LeaseSamples.request;

import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import org.metasched.durable.FullDiskContract;
import org.metasched.leases.HolderEvidence.Sight;

class FileLeasesDiskTest extends FullDiskContract {

    @Override
    protected Keeper open(Path folder) {
        var leases = new FileLeases(folder, Clock.systemUTC(), lease -> Sight.UNSEEN);
        return new Keeper() {
            @Override
            public void change(int number) {
                var unused = leases.acquire(request("wisc", 99, Integer.toString(number)))
                        .orElseThrow();
            }

            @Override
            public List<Integer> changes() {
                return leases.held().stream()
                        .map(lease -> Integer.valueOf(lease.holder()))
                        .toList();
            }
        };
    }
}
