package org.metasched.dag.binding;

import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Predicate;
import org.metasched.leases.Lease;
import org.slf4j.LoggerFactory;

/**
 * Tells by the files of its directory whether the holder of a match, a bound DAG, has ended:
 *
 * <ul>
 *   <li>the note there names this match, and the DAG is finished, or has stopped with failures and this match been held for longer than
 *       {@link MatchNote#keepFailed()};
 *   <li>or the note names this match as released;
 *   <li>or the note names another match, and this one was acquired on this host;
 *   <li>or the DAG is finished though its move to another site was cut off: then it holds two matches, and both end.
 * </ul>
 *
 * <p>A holder whose directory is not visible has not ended.
 */
public final class EndedHolders implements Predicate<Lease> {

    private final Clock clock;

    public EndedHolders(Clock clock) {
        this.clock = clock;
    }

    @Override
    public boolean test(Lease match) {
        try {
            Path directory = Path.of(match.holder());
            if (!directory.isAbsolute()) {
                return false;
            }
            // While a DAG is being bound elsewhere it holds two matches, and its directory is away for a moment.
            // To be checked first: afterwards the directory is there, with the note of the new match.
            if (RebindTransaction.isUnderWay(directory)) {
                return isFinished(directory);
            }
            Optional<MatchNote> note = MatchNote.find(directory);
            if (note.isEmpty()) {
                // A process was killed after it had changed the note, before it released the match. A match that is not
                // committed may be one that a process is taking again under this note.
                Optional<MatchNote> released = MatchNote.findReleased(directory);
                return match.committed()
                        && released.isPresent()
                        && released.get().match().equals(match.id().toString());
            }
            if (!note.get().match().equals(match.id().toString())) {
                // A binder was killed after it had bound the directory anew, before it released the earlier match.
                return match.isOfThisHost();
            }
            Optional<BindingRecord> record = BindingRecord.find(directory);
            return record.isPresent() && isOver(directory, record.get().origin().dag(), note.get(), match);
        } catch (IOException | InvalidPathException e) {
            LoggerFactory.getLogger(EndedHolders.class).debug("Whether {} is over cannot be told", match.holder(), e);
            return false;
        }
    }

    private static boolean isFinished(Path directory) throws IOException {
        Optional<BindingRecord> record = BindingRecord.find(directory);
        return record.isPresent()
                && DagProgress.of(directory, record.get().origin().dag()) == DagProgress.FINISHED;
    }

    private boolean isOver(Path directory, String dag, MatchNote note, Lease match) throws IOException {
        DagProgress progress = DagProgress.of(directory, dag);
        if (progress != DagProgress.STOPPED) {
            return progress == DagProgress.FINISHED;
        }
        // A match that was acquired for a DAG that had stopped before is for its next run.
        return DagProgress.stoppedSince(directory, dag)
                .map(since -> since.isBefore(match.taken()) ? match.taken() : since)
                .filter(since -> Duration.between(since, clock.instant()).compareTo(note.keepFailed()) > 0)
                .isPresent();
    }
}
