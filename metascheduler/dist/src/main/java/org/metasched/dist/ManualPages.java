package org.metasched.dist;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import org.metasched.cli.Main;
import org.metasched.cli.output.Completions;
import picocli.CommandLine;

/**
 * Writes {@code man/man1/*.1}, one page a command, and the completion of bash and zsh below the folder that its argument names.
 * The same command line always gives the same bytes.
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
        String completion = Completions.script(program);
        write(share.resolve("bash-completion/completions/metasched"), completion);
        write(share.resolve("zsh/vendor-completions/_metasched"), ZSH + completion);
    }

    private static void writePages(CommandLine command, Path folder) throws IOException {
        var page = new ManualPage(command);
        write(folder.resolve(page.name() + ".1"), page.text());
        for (CommandLine below : command.getSubcommands().values()) {
            if (!below.getCommandSpec().usageMessage().hidden()
                    && !(below.getCommand() instanceof CommandLine.HelpCommand)) {
                writePages(below, folder);
            }
        }
    }

    private static void write(Path file, String text) throws IOException {
        Files.createDirectories(file.toAbsolutePath().getParent());
        Files.writeString(file, text);
    }
}
