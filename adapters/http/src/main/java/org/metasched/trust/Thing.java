package org.metasched.trust;

/**
 * What an operation touches.
 *
 * @param type such as {@code Agreement} or {@code Machine}
 * @param owner the subject whose it is; empty if it is anonymous
 */
public record Thing(String type, String name, String owner) {

    public static Thing agreement(String name, String owner) {
        return new Thing("Agreement", name, owner);
    }

    @Override
    public String toString() {
        return type + " " + name;
    }
}
