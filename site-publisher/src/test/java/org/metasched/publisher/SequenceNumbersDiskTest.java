package org.metasched.publisher;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.metasched.durable.FullDiskContract;

/** A number that was given out is never given out again, whatever happens to the disk. */
class SequenceNumbersDiskTest extends FullDiskContract {

    private static final int BLOCK = 1000;
    private static final Instant BEGIN = Instant.EPOCH;

    @Override
    protected Keeper open(Path folder) throws IOException {
        return new Keeper() {
            private final SequenceNumbers numbers = at(folder, BEGIN);

            /** Each asks in a block of its own, so that each writes. */
            @Override
            public void change(int number) throws IOException {
                at(folder, BEGIN.plusSeconds(number * 2L * BLOCK + 1)).next();
            }

            @Override
            public List<Integer> changes() {
                int reserved = (int) numbers.next() - 1;
                List<Integer> made = new ArrayList<>();
                if (reserved > 0) {
                    made.add((reserved - BLOCK) / 2 / BLOCK);
                }
                return made;
            }
        };
    }

    private static SequenceNumbers at(Path folder, Instant now) throws IOException {
        return new SequenceNumbers(folder.resolve("sequence"), Clock.fixed(now, ZoneOffset.UTC));
    }

    @Override
    protected List<Integer> kept(List<Integer> acknowledged) {
        return last(acknowledged);
    }
}
