package org.metasched.adapter.simulated;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.metasched.adapter.FreeWindows.StartInterval;
import org.metasched.adapter.TimeSlot;
import org.metasched.slots.AvailabilityProfile;

/** Requests that fit both the machine and the part of it that its owner lets be reserved, at every instant. */
record WithinAllowance(AvailabilityProfile machine, AvailabilityProfile allowance) implements AvailabilityProfile {

    @Override
    public int leastFree(TimeSlot slot) {
        return Math.min(machine.leastFree(slot), allowance.leastFree(slot));
    }

    /** Asks both in turn until they agree; each answer is later than the last, and is where one of them changes. */
    @Override
    public Optional<Instant> earliestStart(int amount, Duration length, Instant notBefore, Instant latestStart) {
        var candidate = machine.earliestStart(amount, length, notBefore, latestStart);
        while (candidate.isPresent()) {
            var allowed = allowance.earliestStart(amount, length, candidate.get(), latestStart);
            if (allowed.isEmpty() || allowed.equals(candidate)) {
                return allowed;
            }
            candidate = machine.earliestStart(amount, length, allowed.get(), latestStart);
            if (candidate.equals(allowed)) {
                return candidate;
            }
        }
        return candidate;
    }

    @Override
    public List<StartInterval> starts(int amount, Duration length, TimeSlot within) {
        var common = new ArrayList<StartInterval>();
        var ours = machine.starts(amount, length, within);
        var theirs = allowance.starts(amount, length, within);
        for (int i = 0, k = 0; i < ours.size() && k < theirs.size(); ) {
            var one = ours.get(i);
            var other = theirs.get(k);
            var from = one.earliest().isAfter(other.earliest()) ? one.earliest() : other.earliest();
            var to = one.latest().isBefore(other.latest()) ? one.latest() : other.latest();
            if (!from.isAfter(to)) {
                common.add(new StartInterval(from, to));
            }
            if (one.latest().isBefore(other.latest())) {
                i++;
            } else {
                k++;
            }
        }
        return common;
    }
}
