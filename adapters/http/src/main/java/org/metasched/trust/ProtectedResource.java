package org.metasched.trust;

/**
 * The resource that an operation touches.
 *
 * @param type such as {@code Agreement} or {@code Machine}
 * @param owner the subject whose it is; empty if it is anonymous
 */
public record ProtectedResource(String type, String name, String owner) {

    public static ProtectedResource agreement(String name, String owner) {
        return new ProtectedResource("Agreement", name, owner);
    }

    @Override
    public String toString() {
        return type + " " + name;
    }
}
