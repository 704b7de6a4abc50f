package org.metasched.cli.output;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.ParseResult;

/**
 * What is wrong with the files that a command is to read, said before it begins and alike for all commands. An argument that is a path names a file
 * to read unless its label is {@code DIR}, {@code FOLDER} or {@code OUT}.
 */
final class InputFiles {

    private static final Set<String> OTHERS = Set.of("DIR", "FOLDER", "OUT");
    /** The label of what may be a folder too. */
    private static final String EITHER = "FILE|DIR";

    private InputFiles() {}

    static Optional<String> problem(ParseResult parsed) {
        var own = parsed.matchedArgs().stream()
                .filter(InputFiles::isRead)
                .flatMap(arg -> arg.stringValues().stream().flatMap(name -> problem(name, arg.paramLabel()).stream()))
                .findFirst();
        return own.isEmpty() && parsed.hasSubcommand() ? problem(parsed.subcommand()) : own;
    }

    private static boolean isRead(ArgSpec arg) {
        return Arrays.asList(arg.typeInfo().getAuxiliaryTypes()).contains(Path.class)
                && !OTHERS.contains(arg.paramLabel());
    }

    private static Optional<String> problem(String name, String label) {
        Path file = Path.of(name);
        if (name.equals("-") || (Files.isReadable(file) && (label.equals(EITHER) || !Files.isDirectory(file)))) {
            return Optional.empty();
        }
        String why = Files.notExists(file)
                ? "there is no such file"
                : Files.isDirectory(file) ? "this is a folder, where a file is expected" : "this file may not be read";
        return Optional.of(name + ": " + why + ".");
    }
}
