package org.metasched.adapter;

/** Marks an exception by which a request fails for a while: something that the service needs is away, such as its database. */
public interface TemporaryFailure {

    /** Text for callers: the code of the refusal, what is away, and what to do. */
    String publicMessage();
}
