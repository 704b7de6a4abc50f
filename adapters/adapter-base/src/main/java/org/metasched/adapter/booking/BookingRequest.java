package org.metasched.adapter.booking;

import java.util.Optional;
import org.metasched.adapter.Need;
import org.metasched.adapter.RequestKey;
import org.metasched.adapter.TimeSlot;

/**
 * One reservation to be asked for.
 *
 * @param key of the caller
 * @param name under which the scheduler shall keep it: the site's prefix and the key
 * @param user for whom, or nothing where the site does not map users
 * @param need the nodes
 * @param slot the interval of the site's grid that covers what was asked
 */
public record BookingRequest(RequestKey key, String name, Optional<String> user, Need.Nodes need, TimeSlot slot) {}
