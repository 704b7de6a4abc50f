package org.metasched.cli.output;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.ParseResult;

/**
 * Checks of the files that a command reads, before it begins and alike for all commands. An argument that is a path names a file
 * to read unless its label is {@code DIR}, {@code FOLDER} or {@code OUT}.
 */
final class InputFiles {

    private static final Set<String> NOT_READ = Set.of("DIR", "FOLDER", "OUT");
    /** The label of a path that may be a file or a folder. */
    private static final String EITHER = "FILE|DIR";

    private InputFiles() {}

    /** A sentence about the first file that cannot be read; empty if all can. */
    static Optional<String> problem(ParseResult parsed) {
        var problem = parsed.matchedArgs().stream()
                .filter(InputFiles::isRead)
                .flatMap(arg -> paths(arg.getValue()).flatMap(file -> problem(file, arg.paramLabel()).stream()))
                .findFirst();
        return problem.isEmpty() && parsed.hasSubcommand() ? problem(parsed.subcommand()) : problem;
    }

    private static boolean isRead(ArgSpec arg) {
        return Arrays.asList(arg.typeInfo().getAuxiliaryTypes()).contains(Path.class)
                && !NOT_READ.contains(arg.paramLabel());
    }

    /** The paths of a value: one or none, several, or several by name. */
    private static Stream<Path> paths(Object value) {
        if (value instanceof Optional<?> maybe) {
            return maybe.stream().map(Path.class::cast);
        }
        if (value instanceof Map<?, ?> named) {
            return paths(named.values());
        }
        return value instanceof Collection<?> several
                ? several.stream().map(Path.class::cast)
                : Stream.of((Path) value);
    }

    private static Optional<String> problem(Path file, String label) {
        if (file.toString().equals("-")
                || (Files.isReadable(file) && (label.equals(EITHER) || !Files.isDirectory(file)))) {
            return Optional.empty();
        }
        String why = Files.notExists(file)
                ? "there is no such file"
                : Files.isDirectory(file) ? "this is a folder, where a file is expected" : "this file may not be read";
        return Optional.of(file + ": " + why + ".");
    }
}
