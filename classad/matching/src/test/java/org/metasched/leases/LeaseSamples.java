package org.metasched.leases;

import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.metasched.leases.Lease.Claimant;

/** Requests for leases, and stores, for tests. */
public final class LeaseSamples {

    private LeaseSamples() {}

    /** For one match of a site that has so many. */
    public static LeaseRequest request(String site, int most, String holder, Claimant claimant) {
        return new LeaseRequest(site, MatchRoom.exactly(most), holder, claimant, 1);
    }

    /** The same for this process. */
    public static LeaseRequest request(String site, int most, String holder) {
        return request(site, most, holder, Claimant.here());
    }

    /** Grants every request and counts nothing: each match is an introduction only. */
    public static LeaseStore uncounted() {
        return new LeaseStore() {
            @Override
            public Optional<UUID> acquire(LeaseRequest request) {
                return Optional.of(request.id());
            }

            @Override
            public boolean renew(UUID lease) {
                return false;
            }

            @Override
            public boolean commit(UUID lease) {
                return false;
            }

            @Override
            public boolean release(UUID lease) {
                return false;
            }

            @Override
            public List<Lease> held() {
                return List.of();
            }
        };
    }
}
