package org.metasched.adapter;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** Texts in UTF-8 that stand beside classes. */
public final class ResourceText {

    private ResourceText() {}

    /**
     * The text of a resource.
     *
     * @param name relative to the package of the class
     * @throws IllegalStateException when the resource is missing
     */
    public static String of(Class<?> beside, String name) {
        try (var stream = beside.getResourceAsStream(name)) {
            if (stream == null) {
                throw new IllegalStateException("The resource (" + name + ") beside " + beside + " is missing.");
            }
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("The resource (" + name + ") beside " + beside + " cannot be read.", e);
        }
    }

    /**
     * The text of a script as one line, for an argument of a command. The script has no comments, and a semicolon after each command that ends
     * a line.
     */
    public static String oneLine(Class<?> beside, String name) {
        return of(beside, name).replace('\n', ' ');
    }
}
