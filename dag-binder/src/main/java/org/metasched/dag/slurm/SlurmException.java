package org.metasched.dag.slurm;

import java.io.IOException;

/** A command of Slurm failed; the message has its answer. */
public final class SlurmException extends IOException {

    private static final long serialVersionUID = 1L;

    public SlurmException(String message) {
        super(message);
    }

    public SlurmException(String message, Throwable cause) {
        super(message, cause);
    }
}
