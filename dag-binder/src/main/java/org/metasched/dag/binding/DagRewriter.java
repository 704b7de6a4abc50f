package org.metasched.dag.binding;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import org.metasched.dag.CommandTexts;
import org.metasched.dag.CommandTexts.CommandText;

/**
 * Replaces the references of a DAG file: in the values of VARS, in descriptions that stand in the file, in ENV SET and SET_JOB_ATTR.
 * DAGMan expands nothing elsewhere, so the rest stays as it is. Reads one command at a time; serves one file.
 */
final class DagRewriter {

    private final ReferenceSubstitution forNodes;
    private final ReferenceSubstitution forDag;
    private final CommandTexts in;
    private final OutputStream out;
    boolean hasGetenv;
    private byte lastByte = '\n';

    /**
     * @param forNodes substitution of the references of nodes
     * @param forDag substitution of the references of the DAG's own job
     */
    DagRewriter(ReferenceSubstitution forNodes, ReferenceSubstitution forDag, CommandTexts in, OutputStream out) {
        this.forNodes = forNodes;
        this.forDag = forDag;
        this.in = in;
        this.out = out;
    }

    void rewrite() throws IOException {
        for (CommandText command = in.next(); command != null; command = in.next()) {
            byte[] bytes = bound(command).getBytes(StandardCharsets.ISO_8859_1);
            out.write(bytes);
            lastByte = bytes.length > 0 ? bytes[bytes.length - 1] : lastByte;
        }
    }

    /** Whether the text that was written is empty or ends with a line end. */
    boolean endedWithNewline() {
        return lastByte == '\n';
    }

    private String bound(CommandText command) {
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
