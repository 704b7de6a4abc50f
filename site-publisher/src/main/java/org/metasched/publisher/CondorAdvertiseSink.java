package org.metasched.publisher;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.metasched.adapter.LocalSchedulerException;
import org.metasched.adapter.command.CommandResult;
import org.metasched.adapter.command.CommandRunner;
import org.metasched.classad.ClassAd;
import org.metasched.classad.Syntax;
import org.metasched.classad.collector.AdKey;
import org.metasched.classad.collector.CollectorQuery;

/** Sends ads to a Condor pool through its own {@code condor_advertise}, as the sites of 2003 did. */
public final class CondorAdvertiseSink implements AdSink {

    private final CommandRunner runner;
    private final List<String> command;

    /** @param command words of the command: {@code condor_advertise}, perhaps with {@code -pool HOST} */
    public CondorAdvertiseSink(CommandRunner runner, List<String> command) {
        this.runner = runner;
        this.command = List.copyOf(command);
    }

    @Override
    public Optional<String> advertise(ClassAd ad) throws IOException {
        send("UPDATE_STARTD_AD", ad);
        return Optional.empty();
    }

    @Override
    public void invalidate(AdKey key) throws IOException {
        ClassAd query = ClassAd.EMPTY
                .with("MyType", "Query")
                .with("TargetType", "Machine")
                .with("Requirements", CollectorQuery.all().named(key.name()).constraint());
        send("INVALIDATE_STARTD_ADS", query);
    }

    private void send(String update, ClassAd ad) throws IOException {
        Path file = Files.createTempFile("metasched-ad", ".ad");
        try {
            Files.writeString(file, ad.print(Syntax.OLD).stripTrailing() + "\n", StandardCharsets.UTF_8);
            var words = new ArrayList<>(command);
            words.add(update);
            words.add(file.toString());
            CommandResult result = runner.run(words);
            if (result.exit() != 0) {
                throw new IOException(command.get(0) + " exited with " + result.exit() + ": " + result.words());
            }
        } catch (LocalSchedulerException e) {
            throw new IOException(e.getMessage(), e);
        } finally {
            Files.deleteIfExists(file);
        }
    }
}
