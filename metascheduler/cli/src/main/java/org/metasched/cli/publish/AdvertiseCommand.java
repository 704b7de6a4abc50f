package org.metasched.cli.publish;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.metasched.classad.ClassAd;
import org.metasched.classad.collector.AdKey;
import org.metasched.classad.collector.AdvertiseReceipt;
import org.metasched.cli.classad.AdFiles;
import org.metasched.cli.classad.DialectOption;
import org.metasched.cli.output.ExitCodeException;
import org.metasched.cli.server.AskingCommand;
import org.metasched.cli.server.CollectorCalls;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Sends ads to a collector by hand. */
@Command(name = "advertise", description = "Sends the ads of a file to a server's collector.")
public final class AdvertiseCommand extends AskingCommand implements Callable<Integer> {

    /** The number of ads up to which no progress is shown. */
    private static final int FEW = 1_000;

    @Parameters(paramLabel = "FILE", description = "Ads in any written form; - for standard input.")
    private Path file = Path.of("-");

    @Mixin
    private DialectOption dialect = new DialectOption();

    @Override
    public Integer call() {
        List<ClassAd> ads = AdFiles.all(file, dialect.chosen());
        ExitCodeException.badInputIf(ads.isEmpty(), "The file (%s) holds no ad.", file);
        List<AdvertiseReceipt> receipts =
                CollectorCalls.on(server, remote -> remote.advertiseAll(ads, sent -> sayProgress(sent, ads.size())));
        var outcomes = IntStream.range(0, receipts.size())
                .mapToObj(i -> outcome(i + 1, receipts.get(i)))
                .toList();
        output.print(new Sent(outcomes), out -> outcomes.forEach(outcome -> out.println(outcome.line())));
        return receipts.stream().anyMatch(AdvertiseReceipt.Refused.class::isInstance) ? ExitCodeException.BAD_INPUT : 0;
    }

    private void sayProgress(int sent, int total) {
        if (total > FEW) {
            output.say(sent + " of " + total + " ads sent");
        }
    }

    private record Sent(List<Outcome> receipts) {}

    /** @param newest sequence number of the collector's newest ad of the name */
    @JsonInclude(Include.NON_ABSENT)
    private record Outcome(
            int number,
            String outcome,
            Optional<String> type,
            Optional<String> name,
            Optional<Boolean> first,
            Optional<Long> newest,
            Optional<String> reason,
            @JsonIgnore String line) {

        static Outcome of(
                int number, String outcome, AdKey key, Optional<Boolean> first, Optional<Long> newest, String words) {
            Optional<String> type = Optional.of(key.type());
            Optional<String> name = Optional.of(key.name());
            String line = key + ": " + words;
            return new Outcome(number, outcome, type, name, first, newest, Optional.empty(), line);
        }
    }

    private static Outcome outcome(int number, AdvertiseReceipt receipt) {
        return receipt.fold(
                kept -> Outcome.of(
                        number,
                        "kept",
                        kept.key(),
                        Optional.of(kept.first()),
                        Optional.empty(),
                        kept.first() ? "new" : "updated"),
                late -> Outcome.of(
                        number,
                        "late",
                        late.key(),
                        Optional.empty(),
                        Optional.of(late.newest()),
                        "late, the newest is " + late.newest() + " and this one " + late.offered()),
                refused -> new Outcome(
                        number,
                        "refused",
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.of(refused.reason()),
                        "ad " + number + " refused: " + refused.reason()));
    }
}
