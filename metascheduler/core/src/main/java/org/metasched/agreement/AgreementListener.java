package org.metasched.agreement;

/** Hears of every change of state, after it is durable. Called by the thread that made the change: must not block. */
@FunctionalInterface
public interface AgreementListener {

    void changed(AgreementState before, Agreement after);
}
