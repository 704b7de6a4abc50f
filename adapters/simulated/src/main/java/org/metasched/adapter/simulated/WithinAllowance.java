package org.metasched.adapter.simulated;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.metasched.adapter.FreeWindows.StartInterval;
import org.metasched.adapter.TimeSlot;
import org.metasched.slots.AvailabilityProfile;

/** Profile of a machine whose owner limits the nodes that may be reserved at any instant: a request must fit both. */
record WithinAllowance(AvailabilityProfile machine, AvailabilityProfile allowance) implements AvailabilityProfile {

    @Override
    public int leastFree(TimeSlot slot) {
        return Math.min(machine.leastFree(slot), allowance.leastFree(slot));
    }

    /** Asks machine and allowance in turn until both give the same start; each answer is at or after the one before. */
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
        var ofMachine = machine.starts(amount, length, within);
        var ofAllowance = allowance.starts(amount, length, within);
        for (int i = 0, k = 0; i < ofMachine.size() && k < ofAllowance.size(); ) {
            var free = ofMachine.get(i);
            var allowed = ofAllowance.get(k);
            var from = free.earliest().isAfter(allowed.earliest()) ? free.earliest() : allowed.earliest();
            var to = free.latest().isBefore(allowed.latest()) ? free.latest() : allowed.latest();
            if (!from.isAfter(to)) {
                common.add(new StartInterval(from, to));
            }
            if (free.latest().isBefore(allowed.latest())) {
                i++;
            } else {
                k++;
            }
        }
        return common;
    }
}
