package org.metasched.adapter;

/** A configuration that cannot be used. The message begins with {@code file:line:column}. */
public final class InvalidSettingException extends RuntimeException {

    public InvalidSettingException(String message) {
        super(message);
    }
}
