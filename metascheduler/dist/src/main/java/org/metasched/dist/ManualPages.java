package org.metasched.dist;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.OffsetDateTime;
import java.time.format.DateTimeFormatter;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;
import org.metasched.cli.Main;
import org.metasched.cli.output.Completions;
import picocli.CommandLine;

/**
 * Writes {@code man/man1/*.1.gz}, one page a command, the completion of bash and zsh, and the changelog of the Debian package. The arguments
 * are the folder for them, the version, and the time of the build (ISO 8601). The same arguments always give the same bytes.
 */
public final class ManualPages {

    private static final String ZSH = """
            #compdef metasched
            autoload -Uz bashcompinit && bashcompinit
            """;

    private ManualPages() {}

    public static void main(String[] arguments) throws IOException {
        var share = Path.of(arguments[0]);
        var program = Main.commandLine(new PrintWriter(Writer.nullWriter()), new PrintWriter(Writer.nullWriter()));
        var pages = Files.createDirectories(share.resolve("man/man1"));
        writePages(program, pages);
        // A file that is sourced names no interpreter.
        String completion = Completions.script(program).replaceFirst("^#!.*\n", "");
        write(share.resolve("bash-completion/completions/metasched"), completion);
        write(share.resolve("zsh/vendor-completions/_metasched"), ZSH + completion);
        compress(
                share.resolve("doc/metasched/changelog.gz"),
                changelog(arguments[1], OffsetDateTime.parse(arguments[2])));
    }

    private static String changelog(String version, OffsetDateTime built) {
        return "metasched (" + version.replace('-', '~') + ") stable; urgency=medium\n\n"
                + "  * The changes are in CHANGELOG.md beside this file.\n\n -- the metasched authors <metasched@example.org>  "
                + DateTimeFormatter.RFC_1123_DATE_TIME
                        .format(built)
                        .replaceFirst(", (\\d) ", ", 0$1 ")
                        .replace("GMT", "+0000")
                + "\n";
    }

    private static void writePages(CommandLine command, Path folder) throws IOException {
        var page = new ManualPage(command);
        compress(folder.resolve(page.name() + ".1.gz"), page.text());
        for (CommandLine below : command.getSubcommands().values()) {
            if (!below.getCommandSpec().usageMessage().hidden()
                    && !(below.getCommand() instanceof CommandLine.HelpCommand)) {
                writePages(below, folder);
            }
        }
    }

    /** Compresses as {@code gzip -9n}, which Debian asks for: without a time, and with the mark of the best compression in the header. */
    private static void compress(Path file, String text) throws IOException {
        var packed = new ByteArrayOutputStream();
        try (var out = new GZIPOutputStream(packed) {
            {
                def.setLevel(Deflater.BEST_COMPRESSION);
            }
        }) {
            out.write(text.getBytes(StandardCharsets.UTF_8));
        }
        byte[] bytes = packed.toByteArray();
        bytes[8] = 2;
        Files.createDirectories(file.toAbsolutePath().getParent());
        Files.write(file, bytes);
    }

    private static void write(Path file, String text) throws IOException {
        Files.createDirectories(file.toAbsolutePath().getParent());
        Files.writeString(file, text);
    }
}
