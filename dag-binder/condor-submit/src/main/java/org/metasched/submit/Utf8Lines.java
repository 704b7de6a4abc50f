package org.metasched.submit;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Reader;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;

/**
 * Turns letters that are really bytes back into UTF-8 text, a buffer at a time. A description with a byte that is not UTF-8 keeps
 * that byte as a Latin-1 letter: condor does not care what is in a value, and an odd comment is no reason to refuse a file.
 */
final class Utf8Lines extends BufferedReader {

    Utf8Lines(Reader bytes) throws IOException {
        super(new java.io.StringReader(decode(bytes)));
    }

    private static String decode(Reader in) throws IOException {
        StringBuilder text = new StringBuilder();
        char[] buffer = new char[1 << 14];
        int read = in.read(buffer);
        while (read >= 0) {
            if (text.length() + read > 512 << 20) {
                throw new IOException("The file is larger than 512 MiB.");
            }
            text.append(buffer, 0, read);
            read = in.read(buffer);
        }
        String letters = text.toString();
        ByteBuffer bytes = ByteBuffer.wrap(letters.getBytes(StandardCharsets.ISO_8859_1));
        try {
            CharBuffer decoded = StandardCharsets.UTF_8
                    .newDecoder()
                    .onMalformedInput(CodingErrorAction.REPORT)
                    .decode(bytes);
            return decoded.toString();
        } catch (CharacterCodingException e) {
            return letters;
        }
    }
}
