package org.metasched.trust;

/**
 * The resource that an operation touches.
 *
 * @param type type of the resource, such as {@code Agreement} or {@code Machine}
 * @param owner subject of the owner; empty if the owner is anonymous
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
