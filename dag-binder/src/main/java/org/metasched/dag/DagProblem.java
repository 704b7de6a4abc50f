package org.metasched.dag;

/**
 * A problem in a DAG file, an error or a warning.
 *
 * @param file name of the file as the user wrote it, or as the DAG that refers to it does
 * @param line number of the line, from 1; 0 if the problem belongs to no line
 * @param column number of the column, from 1, in bytes; 0 if the problem belongs to a whole line
 * @param command the keyword it stands in, or empty
 * @param reason the fault, in condor's words if its tools find the same
 * @param hint a likely cause or remedy, or empty
 */
public record DagProblem(String file, int line, int column, String command, String reason, String hint) {

    /** A problem that belongs to a whole line. */
    public static DagProblem at(DagNode.Place place, String command, String reason, String hint) {
        return new DagProblem(place.file(), place.line(), 0, command, reason, hint);
    }

    /** The command and the reason, and the hint on a second line. */
    public String message() {
        String first = command.isEmpty() ? reason : command + ": " + reason;
        return hint.isEmpty() ? first : first + "\n" + hint;
    }

    /** {@code file:line:column: message}. */
    @Override
    public String toString() {
        String where = line == 0 ? file : column == 0 ? file + ":" + line : file + ":" + line + ":" + column;
        return where + ": " + message();
    }
}
