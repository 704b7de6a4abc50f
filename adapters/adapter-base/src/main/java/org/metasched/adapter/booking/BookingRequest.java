package org.metasched.adapter.booking;

import java.util.List;
import java.util.Optional;
import org.metasched.adapter.Need;
import org.metasched.adapter.RequestKey;
import org.metasched.adapter.TimeSlot;

/**
 * One reservation to be asked for.
 *
 * @param key of the caller
 * @param name under which the scheduler shall keep it: the site's prefix and the key
 * @param users who may use it, that of the requester first; none where the site does not map users
 * @param project the account that is charged, or nothing for the usual one
 * @param need the nodes
 * @param slot the requested time, widened to multiples of the setting {@code grid}
 */
public record BookingRequest(
        RequestKey key, String name, List<String> users, Optional<String> project, Need.Nodes need, TimeSlot slot) {

    /** The local user for whom it is, where the site maps users. */
    public Optional<String> user() {
        return users.stream().findFirst();
    }

    /** All who may use it, as schedulers list them. */
    public Optional<String> accessList() {
        return users.isEmpty() ? Optional.empty() : Optional.of(String.join(",", users));
    }
}
