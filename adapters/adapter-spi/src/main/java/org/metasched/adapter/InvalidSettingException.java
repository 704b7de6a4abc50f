package org.metasched.adapter;

/** A configuration that cannot be used. The message begins with {@code file:line:column}. */
public final class InvalidSettingException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public InvalidSettingException(String message) {
        super(message);
    }
}
