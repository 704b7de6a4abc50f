package org.metasched.cli.publish;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.metasched.classad.ClassAd;
import org.metasched.classad.Dialect;
import org.metasched.classad.collector.Receipt;
import org.metasched.cli.classad.AdFiles;
import org.metasched.cli.output.Failure;
import org.metasched.cli.output.OutputOptions;
import org.metasched.cli.server.CollectorCalls;
import org.metasched.cli.server.ServerOption;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Sends ads to a collector by hand. */
@Command(
        name = "advertise",
        mixinStandardHelpOptions = true,
        description = "Sends the ads of a file to a server's collector.")
public final class AdvertiseCommand implements Callable<Integer> {

    @Mixin
    private OutputOptions output = new OutputOptions();

    @Mixin
    private ServerOption server = new ServerOption();

    @Parameters(paramLabel = "FILE", description = "Ads in any written form; - for standard input.")
    private Path file = Path.of("-");

    @Option(names = "--dialect", defaultValue = "reference", description = "reference or paper; ${DEFAULT-VALUE}.")
    private Dialect dialect = Dialect.REFERENCE;

    private int total;

    @Override
    public Integer call() {
        List<ClassAd> ads = AdFiles.all(file, dialect);
        if (ads.isEmpty()) {
            throw Failure.badInput("The file (" + file + ") holds no ad.");
        }
        total = ads.size();
        List<Receipt> receipts = CollectorCalls.on(server, remote -> remote.advertiseAll(ads, this::told));
        if (output.json()) {
            output.printJson(Map.of(
                    "receipts",
                    IntStream.range(0, receipts.size())
                            .mapToObj(i -> json(i + 1, receipts.get(i)))
                            .toList()));
        } else {
            for (int i = 0; i < receipts.size(); i++) {
                output.out().println(told(i + 1, receipts.get(i)));
            }
            output.out().flush();
        }
        return receipts.stream().anyMatch(Receipt.Refused.class::isInstance) ? Failure.BAD_INPUT : 0;
    }

    /** Says how far it is when there is more than one message. */
    private void told(int sent) {
        if (total > 1000) {
            output.say(sent + " of " + total + " ads sent");
        }
    }

    private static String told(int number, Receipt receipt) {
        return receipt.fold(
                kept -> kept.key() + ": " + (kept.first() ? "new" : "updated"),
                late -> late.key() + ": late, the newest is " + late.newest() + " and this one " + late.offered(),
                refused -> "ad " + number + " refused: " + refused.reason());
    }

    private static Map<String, Object> json(int number, Receipt receipt) {
        var json = new LinkedHashMap<String, Object>();
        json.put("number", number);
        var unused = receipt.fold(
                kept -> {
                    json.put("outcome", "kept");
                    json.put("type", kept.key().type());
                    json.put("name", kept.key().name());
                    return json.put("first", kept.first());
                },
                late -> {
                    json.put("outcome", "late");
                    json.put("type", late.key().type());
                    json.put("name", late.key().name());
                    return json.put("newest", late.newest());
                },
                refused -> {
                    json.put("outcome", "refused");
                    return json.put("reason", refused.reason());
                });
        return json;
    }
}
