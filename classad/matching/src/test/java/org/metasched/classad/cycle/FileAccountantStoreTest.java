package org.metasched.classad.cycle;

import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.metasched.durable.FullDiskContract;

class FileAccountantStoreTest extends FullDiskContract {

    private static final Instant NOW = Instant.parse("2026-01-05T08:00:00Z");

    @Override
    protected Keeper open(Path folder) {
        var store = new FileAccountantStore(folder.resolve("accountant"));
        return new Keeper() {
            @Override
            public void change(int number) {
                store.save(List.of(standing("raman", number), standing("miron", 1)));
            }

            @Override
            public List<Integer> changes() {
                return store.load().stream()
                        .filter(standing -> standing.submitter().equals("raman"))
                        .map(standing -> (int) standing.usage())
                        .toList();
            }
        };
    }

    private static SubmitterStanding standing(String submitter, double usage) {
        return new SubmitterStanding(submitter, usage, 1, -1, 0, 0, 0, NOW);
    }

    @Override
    protected List<Integer> kept(List<Integer> acknowledged) {
        return last(acknowledged);
    }
}
