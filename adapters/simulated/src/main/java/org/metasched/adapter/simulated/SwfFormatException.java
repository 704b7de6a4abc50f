package org.metasched.adapter.simulated;

/** A trace that is not in the Standard Workload Format. The message begins with {@code file:line:column}. */
public final class SwfFormatException extends Exception {

    SwfFormatException(String file, long line, int column, String problem) {
        super(file + ":" + line + ":" + column + ": " + problem);
    }
}
