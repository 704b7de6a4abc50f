package org.metasched.publisher;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.metasched.classad.ClassAd;
import org.metasched.durable.FullDiskContract;

class FileSinkTest extends FullDiskContract {

    @Override
    protected Keeper open(Path folder) {
        Path file = folder.resolve("fzj.ad");
        var sink = new FileSink(file);
        return new Keeper() {
            @Override
            public void change(int number) throws Exception {
                sink.advertise(ClassAd.parse("[ Name = \"fzj\"; UpdateSequenceNumber = " + number + " ]"));
            }

            @Override
            public List<Integer> changes() throws IOException {
                return Files.exists(file)
                        ? List.of(Integer.valueOf(
                                Files.readString(file).strip().replaceFirst("(?s).*UpdateSequenceNumber = ", "")))
                        : List.of();
            }
        };
    }

    @Override
    protected List<Integer> kept(List<Integer> acknowledged) {
        return last(acknowledged);
    }
}
