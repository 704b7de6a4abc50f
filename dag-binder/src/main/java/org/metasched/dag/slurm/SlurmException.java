package org.metasched.dag.slurm;

import java.io.IOException;

/** Slurm did not do what it was told; the message says what it answered. */
public final class SlurmException extends IOException {

    private static final long serialVersionUID = 1L;

    public SlurmException(String message) {
        super(message);
    }

    public SlurmException(String message, Throwable cause) {
        super(message, cause);
    }
}
