package org.metasched.negotiation;

import java.util.random.RandomGenerator;

/**
 * Negotiates by asking all sites of a round in parallel. A request for named sites is a choice with one place for each part. The sites'
 * look-aheads and the budget are taken at the start of a negotiation, so that they do not move with the clock. Thread-safe; holds no lock
 * while a site is asked.
 *
 * @param random names negotiations and spreads retries; thread-safe
 */
public record ParallelNegotiation(NegotiationContext context, SearchStrategy strategy, RandomGenerator random)
        implements NegotiationEngine {

    private static final char[] ALPHABET = "abcdefghijklmnopqrstuvwxyz234567".toCharArray();

    @Override
    public NegotiationOutcome negotiate(CoAllocationRequest request) throws InterruptedException {
        return named(request).run();
    }

    @Override
    public ChoicePlans plan(CoAllocationRequest request) throws InterruptedException {
        return named(request).plan();
    }

    @Override
    public ChoicePlans plan(ChoiceRequest request, int most) throws InterruptedException {
        return new CandidateNegotiation(context, strategy, newName(), request).plan(most);
    }

    @Override
    public NegotiationOutcome choose(ChoiceRequest request) throws InterruptedException {
        return new CandidateNegotiation(context, strategy, newName(), request).run();
    }

    private NamedNegotiation named(CoAllocationRequest request) {
        return new NamedNegotiation(context, strategy, newName(), random, request);
    }

    /** {@code m} and 80 random bits: with an attempt and a part it stays within the length of a request key. */
    private String newName() {
        var name = new StringBuilder("m");
        for (int i = 0; i < 16; i++) {
            name.append(ALPHABET[random.nextInt(ALPHABET.length)]);
        }
        return name.toString();
    }
}
