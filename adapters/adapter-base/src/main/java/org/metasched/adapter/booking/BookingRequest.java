package org.metasched.adapter.booking;

import java.util.List;
import java.util.Optional;
import org.metasched.adapter.DisplayText;
import org.metasched.adapter.Need;
import org.metasched.adapter.RequestKey;
import org.metasched.adapter.TimeSlot;

/**
 * One reservation to be asked for.
 *
 * @param key the caller's request key
 * @param name name of the reservation at the scheduler: the site's prefix and the key
 * @param users local users of the reservation, the requester's first; none if the site does not map users
 * @param project the account that is charged; empty for the user's default account
 * @param need the nodes
 * @param slot the requested time, widened to multiples of the setting {@code grid}
 */
public record BookingRequest(
        RequestKey key, String name, List<String> users, Optional<String> project, Need.Nodes need, TimeSlot slot) {

    /** The local user of the requester, if the site maps users. */
    public Optional<String> user() {
        return users.stream().findFirst();
    }

    /** Words for messages: {@code reservation metasched-17 for 4 nodes at 2026-01-05T16:00:00Z}. */
    public String words() {
        return "reservation " + name + " for " + DisplayText.count(need.count(), "node") + " at " + slot.start();
    }

    /** All local users, separated by commas; empty if the site does not map users. */
    public Optional<String> accessList() {
        return users.isEmpty() ? Optional.empty() : Optional.of(String.join(",", users));
    }
}
