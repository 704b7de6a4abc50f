package org.metasched.fakes;

import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.metasched.agreement.NegotiationBook;

/** Negotiations in memory. Not thread-safe: {@link InMemoryBooks} has the lock. */
final class InMemoryNegotiationBook implements NegotiationBook {

    private final Map<String, Negotiation> negotiations = new LinkedHashMap<>();
    private final Map<String, List<Offer>> offers = new LinkedHashMap<>();
    private final Map<String, Hold> holds = new LinkedHashMap<>();

    InMemoryNegotiationBook copy() {
        var copy = new InMemoryNegotiationBook();
        copy.negotiations.putAll(negotiations);
        offers.forEach((id, some) -> copy.offers.put(id, new ArrayList<>(some)));
        copy.holds.putAll(holds);
        return copy;
    }

    @Override
    public boolean open(Negotiation negotiation, int most, int mostOfOwner) {
        boolean room = negotiations.size() < most
                && negotiations.values().stream()
                                .filter(other -> other.owner().equals(negotiation.owner()))
                                .count()
                        < mostOfOwner;
        if (room) {
            negotiations.put(negotiation.id(), negotiation);
            offers.put(negotiation.id(), new ArrayList<>());
        }
        return room;
    }

    @Override
    public Optional<Negotiation> negotiation(String id) {
        return Optional.ofNullable(negotiations.get(id));
    }

    @Override
    public Optional<Negotiation> withOffer(String offer) {
        return negotiations.values().stream()
                .filter(n -> offers(n.id()).stream().anyMatch(o -> o.id().equals(offer)))
                .findFirst();
    }

    @Override
    public boolean add(String negotiation, Offer offer) {
        boolean isNew = offers(negotiation).stream().noneMatch(o -> o.id().equals(offer.id()));
        return isNew && offers.get(negotiation).add(offer);
    }

    @Override
    public List<Offer> offers(String negotiation) {
        return List.copyOf(offers.getOrDefault(negotiation, List.of()));
    }

    @Override
    public void end(String negotiation) {
        negotiations.remove(negotiation);
        offers.remove(negotiation);
    }

    @Override
    public List<String> ended(Instant now, int limit) {
        return negotiations.values().stream()
                .filter(n -> !n.until().isAfter(now))
                .map(Negotiation::id)
                .limit(limit)
                .toList();
    }

    @Override
    public int holds() {
        return holds.size();
    }

    @Override
    public boolean hold(String offer, Hold hold, int most) {
        return holds.size() < most && holds.put(offer, hold) == null;
    }

    @Override
    public Optional<Hold> held(String offer) {
        return Optional.ofNullable(holds.get(offer));
    }

    @Override
    public boolean take(String offer) {
        return holds.remove(offer) != null;
    }

    @Override
    public List<String> lapsed(Instant now, int limit) {
        return holds.entrySet().stream()
                .filter(e -> !e.getValue().until().isAfter(now))
                .map(Map.Entry::getKey)
                .limit(limit)
                .toList();
    }
}
