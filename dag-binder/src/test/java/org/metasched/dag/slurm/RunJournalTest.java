package org.metasched.dag.slurm;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.metasched.durable.FullDiskContract;

class RunJournalTest extends FullDiskContract {

    @Override
    protected Keeper open(Path folder) {
        var journal = new RunJournal(folder);
        return new Keeper() {
            @Override
            public void change(int number) throws IOException {
                journal.add("submitted", "A", String.valueOf(number));
            }

            @Override
            public List<Integer> changes() throws IOException {
                return journal.entries().stream()
                        .map(words -> Integer.valueOf(words.get(2)))
                        .toList();
            }
        };
    }
}
