package org.metasched.dag;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The commands about the DAG as a whole: its configuration, environment, reports, included files. */
final class GlobalCommands {

    private final CommandReader reader;
    private final DagLexer lexer;

    GlobalCommands(CommandReader reader) {
        this.reader = reader;
        this.lexer = reader.lexer;
    }

    void execute(DagCommand command) {
        switch (command) {
            case MAXJOBS:
                maxJobs();
                break;
            case CONFIG:
                config();
                break;
            case INCLUDE:
                include();
                break;
            case DOT:
                dot();
                break;
            case NODE_STATUS_FILE:
                nodeStatusFile();
                break;
            case JOBSTATE_LOG:
                if (lexer.nextUnquoted()) {
                    reader.nothingLeft();
                } else {
                    reader.fail("No file specified");
                }
                break;
            case SET_JOB_ATTR:
                setJobAttribute();
                break;
            case ENV:
                env();
                break;
            default:
                reject();
        }
    }

    private boolean maxJobs() {
        if (!lexer.next()) {
            return reader.fail("No category name specified");
        }
        String category = lexer.text();
        if (!lexer.next()) {
            return reader.fail("No throttle limit specified");
        }
        try {
            if (lexer.integer() < 0) {
                return reader.fail("Invalid throttle limit '" + lexer.text() + "'");
            }
        } catch (NumberFormatException e) {
            return reader.fail("Invalid throttle limit '" + lexer.text() + "'");
        }
        String limit = lexer.text();
        reader.scope.throttles.put(
                category,
                reader.problemHere(
                        "Category " + category + " has no assigned nodes, so the throttle setting (" + limit
                                + ") will have no effect",
                        ""));
        return reader.nothingLeft();
    }

    private boolean config() {
        if (!lexer.nextUnquoted()) {
            return reader.fail("No configuration file specified");
        }
        String name = lexer.text();
        if (!reader.nothingLeft()) {
            return false;
        }
        if (reader.session.configured) {
            return reader.fail("DAG configuration file is already defined", "A run of DAGMan has one configuration.");
        }
        reader.session.configured = true;
        reader.session.helper(reader.scope.directory, name);
        Path path = reader.session.resolve(reader.scope.directory, name);
        return Files.exists(path) || reader.fail("Configuration file " + path.toAbsolutePath() + " does not exist", "");
    }

    private boolean include() {
        if (!lexer.nextUnquoted()) {
            return reader.fail("No include file specified");
        }
        String name = lexer.text();
        if (!reader.nothingLeft()) {
            return false;
        }
        DagSession session = reader.session;
        Path path = session.resolve(reader.scope.directory, name);
        session.parts.add(new DagSession.PartUse(
                DagPart.Role.INCLUDE, reader.file, reader.line(), "", reader.scope.directory, name, path));
        String problem = refused(path);
        if (problem == null) {
            problem = reader.include(path, DagSession.join(reader.scope.directory, name));
            problem = problem == null ? null : "Failed to read include file: " + problem;
        }
        return problem == null || reader.fail(problem, "Looked for " + path + ".");
    }

    private @Nullable String refused(Path path) {
        if (reader.session.open.contains(path.toAbsolutePath().normalize())) {
            return "Recursive file inclusion detected";
        }
        int limit = reader.session.limits.depth();
        return reader.depth() >= limit ? "Files are included more than " + limit + " deep" : null;
    }

    private boolean dot() {
        if (!lexer.nextUnquoted()) {
            return reader.fail("No file specified");
        }
        while (lexer.next()) {
            if (lexer.is("INCLUDE")) {
                if (!lexer.next()) {
                    return reader.fail("Missing INCLUDE header file");
                }
            } else if (!lexer.is("UPDATE")
                    && !lexer.is("DONT-UPDATE")
                    && !lexer.is("OVERWRITE")
                    && !lexer.is("DONT-OVERWRITE")) {
                return reader.unexpected();
            }
        }
        return !lexer.unclosed() || reader.fail("");
    }

    private boolean nodeStatusFile() {
        if (!lexer.nextUnquoted()) {
            return reader.fail("No file specified");
        }
        while (lexer.next()) {
            if (!lexer.is("ALWAYS-UPDATE") && !isInteger()) {
                return reader.unexpected();
            }
        }
        return !lexer.unclosed() || reader.fail("");
    }

    private boolean isInteger() {
        try {
            lexer.integer();
            return true;
        } catch (NumberFormatException e) {
            return false;
        }
    }

    private boolean setJobAttribute() {
        String attribute = lexer.rest();
        if (attribute.isEmpty()) {
            return reader.fail("No attribute line (key = value) provided");
        }
        if (reader.session.jobAttributes.size() < reader.session.limits.problems()) {
            reader.session.jobAttributes.add(attribute);
        }
        return true;
    }

    private boolean env() {
        if (!lexer.next()) {
            return reader.fail("Missing action (SET or GET) and variables");
        }
        boolean set = lexer.is("SET");
        if (!set && !lexer.is("GET")) {
            return reader.unexpected();
        }
        String variables = lexer.rest();
        if (variables.isEmpty()) {
            return reader.fail("No environment variables provided");
        }
        List<String> list = set ? reader.session.environmentSet : reader.session.environmentGet;
        if (list.size() < reader.session.limits.problems()) {
            list.add(variables);
        }
        return true;
    }

    private boolean reject() {
        if (!reader.nothingLeft()) {
            return false;
        }
        reader.session.rejected = true;
        DagProblem here =
                reader.problemHere("DAG marked with REJECT command", "Its author wants it not to run as it is.");
        reader.session.problems.error(
                new DagProblem(here.file(), here.line(), here.column(), "", here.reason(), here.hint()));
        return true;
    }
}
