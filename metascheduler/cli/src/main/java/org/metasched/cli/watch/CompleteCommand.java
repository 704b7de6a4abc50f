package org.metasched.cli.watch;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.metasched.cli.output.Failure;
import org.metasched.cli.output.OutputOptions;
import org.metasched.cli.server.ServerOption;
import org.metasched.dag.binding.BindingRecord;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code metasched complete}: the words a shell may put in, one a line; what cannot be asked has none. */
@Command(name = "complete", hidden = true, description = "Prints words for the completion of a shell.")
public final class CompleteCommand implements Callable<Integer> {

    private static final int DEEPEST = 2;

    @Mixin
    private OutputOptions output = new OutputOptions();

    @Mixin
    private ServerOption server = new ServerOption();

    enum Kind {
        SITES,
        AGREEMENTS,
        DAGS
    }

    @Parameters(arity = "1..*", description = "Kinds of words.")
    private List<Kind> kinds = List.of();

    @Override
    public Integer call() throws InterruptedException {
        Set<String> words = new LinkedHashSet<>();
        for (var kind : kinds) {
            try {
                words.addAll(words(kind));
            } catch (Failure | IOException e) {
                output.say(String.valueOf(e.getMessage()));
            }
        }
        words.stream().filter(word -> word.matches("[A-Za-z0-9._/-]+")).forEach(output.out()::println);
        return 0;
    }

    private List<String> words(Kind kind) throws IOException, InterruptedException {
        return switch (kind) {
            case SITES -> server.get("/sites").path("sites").findValuesAsText("site");
            case AGREEMENTS ->
                server.get("/api/v1/agreements?state=Observed,Pending&limit=500")
                        .path("agreements")
                        .findValuesAsText("agreementId");
            case DAGS -> dags(Path.of(""));
        };
    }

    private static List<String> dags(Path here) throws IOException {
        try (Stream<Path> files = Files.find(
                here,
                DEEPEST + 1,
                (path, attributes) -> attributes.isRegularFile() && path.endsWith(BindingRecord.FILE))) {
            return files.flatMap(file -> Stream.ofNullable(file.getParent()))
                    .map(Path::toString)
                    .sorted()
                    .toList();
        }
    }
}
