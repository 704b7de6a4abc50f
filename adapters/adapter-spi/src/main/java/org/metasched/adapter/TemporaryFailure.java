package org.metasched.adapter;

/** Marks an exception: something that the service needs is away for a while, and neither caller nor service made a mistake. */
public interface TemporaryFailure {

    /** Text for people outside: the code of the refusal, what is away, and what to do. */
    String told();
}
