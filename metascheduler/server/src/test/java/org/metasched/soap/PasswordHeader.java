package org.metasched.soap;

/** The header in which a sender gives its name and password. The prefix {@code s} is that of the envelope. */
final class PasswordHeader {

    private static final String TOKENS = "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-";

    private PasswordHeader() {}

    static String of(String name, String password) {
        return """
                <w:Security s:mustUnderstand="true" xmlns:w="%1$swssecurity-secext-1.0.xsd"><w:UsernameToken>\
                <w:Username>%2$s</w:Username>\
                <w:Password Type="%1$susername-token-profile-1.0#PasswordText">%3$s</w:Password>\
                </w:UsernameToken></w:Security>""".formatted(TOKENS, name, password);
    }
}
