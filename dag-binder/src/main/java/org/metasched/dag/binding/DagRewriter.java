package org.metasched.dag.binding;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import org.metasched.dag.CommandTexts;
import org.metasched.dag.CommandTexts.CommandText;

/**
 * Settles the references of a DAG file: in the values of VARS, in descriptions that stand in the file, in ENV SET and
 * SET_JOB_ATTR. Elsewhere DAGMan expands nothing, so there all stays as it is. Streams, a command at a time. For one file, once.
 */
final class DagRewriter {

    private final ReferenceSubstitution forNodes;
    private final ReferenceSubstitution forDag;
    private final CommandTexts in;
    private final OutputStream out;
    private boolean hasGetenv;
    private byte last = '\n';

    /**
     * @param forNodes settles what nodes ask for
     * @param forDag settles what is about the DAG's own job
     */
    DagRewriter(ReferenceSubstitution forNodes, ReferenceSubstitution forDag, CommandTexts in, OutputStream out) {
        this.forNodes = forNodes;
        this.forDag = forDag;
        this.in = in;
        this.out = out;
    }

    void rewrite() throws IOException {
        for (CommandText command = in.next(); command != null; command = in.next()) {
            byte[] bytes = settled(command).getBytes(StandardCharsets.ISO_8859_1);
            out.write(bytes);
            last = bytes.length > 0 ? bytes[bytes.length - 1] : last;
        }
    }

    boolean hasGetenv() {
        return hasGetenv;
    }

    /** Whether the last line has its end. */
    boolean endedWithNewline() {
        return last == '\n';
    }

    private String settled(CommandText command) {
        String text = command.text();
        if (command.kind() == CommandTexts.Kind.DESCRIPTION) {
            return description(command);
        }
        if (text.indexOf('$') < 0) {
            return text;
        }
        int value = text.indexOf('=') + 1;
        return switch (command.kind()) {
            case VARIABLES -> forNodes.apply(text, 0, ValueQuoting.VARS, command.line(), command.node());
            case JOB_ATTRIBUTE -> forDag.apply(text, value, ValueQuoting.EXPRESSION, command.line(), "");
            case ENVIRONMENT -> forDag.apply(text, value, ValueQuoting.ENTRIES, command.line(), "");
            default -> text;
        };
    }

    private String description(CommandText command) {
        ParsedDescription description = ParsedDescription.of(command.text(), forNodes.file());
        hasGetenv |= description.hasGetenv();
        return new SubmitRewriter(forNodes, null, command.node()).rewrite(description, command.line());
    }
}
