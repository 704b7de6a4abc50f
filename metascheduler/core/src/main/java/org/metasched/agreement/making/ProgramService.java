package org.metasched.agreement.making;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.metasched.agreement.Agreement;
import org.metasched.agreement.AgreementId;
import org.metasched.agreement.AgreementState;

/**
 * Application service for programs that run under names chosen by the caller. Each program is an agreement with an id made of its name. So
 * the offer locks and the journal start it exactly once, and the sweeper gives its resources back. Thread-safe.
 */
public final class ProgramService {

    private static final int PAGE = 200;
    private static final Set<AgreementState> LIVING = Set.of(AgreementState.PENDING, AgreementState.OBSERVED);

    private final OfferService offers;
    private final String prefix;
    private final Duration overlap;
    private final Clock clock;
    /** Names of programs that may be running. */
    private final Set<String> running = ConcurrentHashMap.newKeySet();
    /** All agreements made before this instant have been searched. */
    private volatile Instant searchedUntil = Instant.EPOCH;

    /**
     * @param prefix text before the name in the ids of these agreements
     * @param overlap time that a search goes back before the last one; more than the clocks of servers differ
     */
    public ProgramService(OfferService offers, String prefix, Duration overlap, Clock clock) {
        this.offers = offers;
        this.prefix = prefix;
        this.overlap = overlap;
        this.clock = clock;
    }

    /**
     * A program and its size.
     *
     * @param words an executable and its arguments
     * @param processes number of processes on all nodes together
     */
    public record Run(List<String> words, int processes) {

        public Run {
            words = List.copyOf(words);
        }

        private boolean isRunBy(Agreement made) {
            return made.commitments().stream()
                    .flatMap(part -> part.run().stream())
                    .findFirst()
                    .map(run -> run.program())
                    .filter(program -> program.executable().equals(words.get(0))
                            && program.arguments().equals(words.subList(1, words.size()))
                            && program.processes() == processes)
                    .isPresent();
        }
    }

    /** The id of the agreement for a program's name. */
    public AgreementId id(String name) {
        return new AgreementId(prefix + name);
    }

    /**
     * Starts a program; does nothing if it was started before.
     *
     * @param offer decides the offer of this program; its agreement has that {@link #id}
     * @return reason why the program does not run; empty if it runs or has completed
     */
    public Optional<String> start(String name, Run run, Offering offer) throws InterruptedException {
        running.add(name);
        var earlier = offers.find(id(name));
        if (earlier.isPresent()) {
            return objection(earlier.get(), run);
        }
        // The same message may have been handled by another thread meanwhile.
        return offer.decide()
                .fold(
                        created -> objection(created.agreement(), run),
                        refused -> offers.find(id(name))
                                .map(made -> objection(made, run))
                                .orElse(Optional.of(refused.reason())));
    }

    /** Decides the offer of a program. */
    @FunctionalInterface
    public interface Offering {
        CreationOutcome decide() throws InterruptedException;
    }

    private static Optional<String> objection(Agreement made, Run run) {
        if (!run.isRunBy(made)) {
            return Optional.of("agreement " + made.id() + " was made for another program");
        }
        return made.state() == AgreementState.OBSERVED || made.state() == AgreementState.COMPLETE
                ? Optional.empty()
                : Optional.of("agreement " + made.id() + " is " + made.state().term());
    }

    /** Ends a program, if there is one of that name. */
    public void end(String name, String reason) throws InterruptedException {
        offers.end(id(name), reason);
    }

    /**
     * Finds programs that other servers started. Reads the agreements made since the last search and, by the overlap, shortly before it;
     * the first time, all living ones.
     *
     * @param form regular expression that the names of programs match
     */
    public void search(String form) {
        Instant now = clock.instant();
        Instant since = searchedUntil;
        Optional<AgreementId> last = Optional.empty();
        List<Agreement> page;
        do {
            page = offers.newest(LIVING, last, PAGE).stream()
                    .filter(made -> !made.created().isBefore(since))
                    .toList();
            for (Agreement made : page) {
                String id = made.id().value();
                last = Optional.of(made.id());
                if (id.startsWith(prefix) && id.substring(prefix.length()).matches(form)) {
                    running.add(id.substring(prefix.length()));
                }
            }
        } while (page.size() == PAGE);
        searchedUntil = now.minus(overlap);
    }

    /** Ends programs whose names are not valid any more; {@code valid} is asked only if a program may be running. */
    public void endOthers(Supplier<Set<String>> valid, String reason) throws InterruptedException {
        if (running.isEmpty()) {
            return;
        }
        var candidates = List.copyOf(running);
        var validNames = valid.get();
        for (String name : candidates) {
            Optional<Agreement> made = offers.find(id(name));
            // A valid name without an agreement is of a program that is being started.
            if (made.map(m -> m.state().isFinal()).orElse(!validNames.contains(name))) {
                running.remove(name);
            } else if (!validNames.contains(name)) {
                end(name, reason);
            }
        }
    }
}
