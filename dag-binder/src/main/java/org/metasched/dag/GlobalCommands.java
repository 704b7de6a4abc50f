package org.metasched.dag;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The commands about the DAG as a whole: its configuration, environment, reports, included files. */
final class GlobalCommands {

    private final CommandReader reader;
    private final DagLexer lexer;

    GlobalCommands(CommandReader reader) {
        this.reader = reader;
        this.lexer = reader.lexer;
    }

    void throttle() throws RefusedCommandException {
        reader.requireWord("No category name specified");
        String category = lexer.text();
        int limit = reader.number("No throttle limit specified", "Invalid throttle limit '%s'", 0, Integer.MAX_VALUE);
        reader.scope.categories.throttle(
                category,
                reader.problem(
                        reader.command().name(),
                        "Category " + category + " has no assigned nodes, so the throttle setting (" + lexer.text()
                                + ") will have no effect",
                        ""));
        reader.requireEnd();
        reader.session.details.throttle(reader.scope.categoryName(category), limit);
    }

    void configuration() throws RefusedCommandException {
        String name = reader.fileName("No configuration file specified");
        reader.requireEnd();
        DagSession session = reader.session;
        if (session.settings.hasConfiguration) {
            throw reader.refused("DAG configuration file is already defined", "A run of DAGMan has one configuration.");
        }
        session.settings.hasConfiguration = true;
        reader.addHelper(name);
        Path path = session.resolve(reader.scope.directory, name);
        reader.refuseIf(!Files.exists(path), "Configuration file %s does not exist", path.toAbsolutePath());
    }

    void include() throws RefusedCommandException {
        String name = reader.fileName("No include file specified");
        reader.requireEnd();
        DagSession session = reader.session;
        Path path = session.resolve(reader.scope.directory, name);
        reader.addPart(DagPart.Role.INCLUDE, "", reader.scope.directory, name, path);
        String problem = forbidden(path);
        if (problem == null) {
            problem = reader.include(path, DagSession.join(reader.scope.directory, name));
            problem = problem == null ? null : "Failed to read include file: " + problem;
        }
        if (problem != null) {
            throw reader.refused(problem, "Looked for " + path + ".");
        }
    }

    /** The reason for which a file may not be included, or null. */
    private @Nullable String forbidden(Path path) {
        if (reader.session.open.contains(path.toAbsolutePath().normalize())) {
            return "Recursive file inclusion detected";
        }
        int limit = reader.session.limits.depth();
        return reader.depth >= limit ? "Files are included more than " + limit + " deep" : null;
    }

    void dot() throws RefusedCommandException {
        reader.fileName("No file specified");
        while (lexer.next()) {
            if (lexer.is("INCLUDE")) {
                reader.requireWord("Missing INCLUDE header file");
            } else if (Stream.of("UPDATE", "DONT-UPDATE", "OVERWRITE", "DONT-OVERWRITE")
                    .noneMatch(lexer::is)) {
                throw reader.unexpected();
            }
        }
        reader.requireClosedQuotes();
    }

    void nodeStatusFile() throws RefusedCommandException {
        reader.fileName("No file specified");
        while (lexer.next()) {
            if (!lexer.is("ALWAYS-UPDATE") && lexer.integer() == DagLexer.NO_INTEGER) {
                throw reader.unexpected();
            }
        }
        reader.requireClosedQuotes();
    }

    void jobStateLog() throws RefusedCommandException {
        reader.fileName("No file specified");
        reader.requireEnd();
    }

    void jobAttribute() throws RefusedCommandException {
        note(reader.session.settings.jobAttributes, "No attribute line (key = value) provided");
    }

    void environment() throws RefusedCommandException {
        reader.requireWord("Missing action (SET or GET) and variables");
        boolean set = lexer.is("SET");
        if (!set && !lexer.is("GET")) {
            throw reader.unexpected();
        }
        note(
                set ? reader.session.settings.environmentSet : reader.session.settings.environmentGet,
                "No environment variables provided");
    }

    /** Adds the rest of the line to a list. */
    private void note(List<String> list, String missing) throws RefusedCommandException {
        String rest = lexer.rest();
        reader.refuseIf(rest.isEmpty(), missing);
        reader.session.addSetting(list, rest, reader.file, reader.line());
    }

    void reject() throws RefusedCommandException {
        reader.requireEnd();
        reader.session.problems.error(
                reader.problem("", "DAG marked with REJECT command", "Its author wants it not to run as it is."));
    }
}
