package org.metasched.adapter;

/** An exception by which something that the service needs is away for a while: no mistake of the caller or of the service. */
public interface TemporaryFailure {

    /** For people outside: the code of the refusal, what is away, and what to do. */
    String told();
}
