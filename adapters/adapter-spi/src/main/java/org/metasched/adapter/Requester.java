package org.metasched.adapter;

/**
 * Who a reservation is for: the subject of the certificate that the request came with, as text
 * ({@code /O=Grid/CN=Alice} or {@code CN=Alice,O=Grid}). A site maps it to a local user. Not logged above DEBUG.
 */
public record Requester(String subject) {

    public Requester {
        if (subject.isBlank() || subject.length() > 1024 || subject.chars().anyMatch(Character::isISOControl)) {
            throw new IllegalArgumentException("The requester's subject (" + DisplayText.of(subject)
                    + ") must be 1 to 1024 printable characters.");
        }
    }

    @Override
    public String toString() {
        return subject;
    }
}
