package org.metasched.console;

/** A page of one message. */
record MessageModel(String title, String text) {}
