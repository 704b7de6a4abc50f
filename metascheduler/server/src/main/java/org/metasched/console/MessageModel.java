package org.metasched.console;

/** A page that says one thing. */
record MessageModel(String title, String text) {}
