package org.metasched.trust;

import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.ASN1String;
import org.bouncycastle.asn1.x500.AttributeTypeAndValue;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x500.style.BCStyle;

/**
 * The slash form of a certificate's subject, as grid-mapfiles have it. It is made from the certificate and compared as a whole, because a
 * slash inside a value is not escaped in it.
 */
final class DistinguishedName {

    private static final Map<ASN1ObjectIdentifier, String> NAMES = Map.ofEntries(
            Map.entry(BCStyle.DC, "DC"),
            Map.entry(BCStyle.C, "C"),
            Map.entry(BCStyle.O, "O"),
            Map.entry(BCStyle.OU, "OU"),
            Map.entry(BCStyle.L, "L"),
            Map.entry(BCStyle.ST, "ST"),
            Map.entry(BCStyle.CN, "CN"),
            Map.entry(BCStyle.UID, "UID"),
            Map.entry(BCStyle.SERIALNUMBER, "serialNumber"),
            Map.entry(BCStyle.EmailAddress, "emailAddress"));

    private DistinguishedName() {}

    /**
     * The subject in the slash form.
     *
     * @throws UntrustedException when a value has control characters
     */
    static String slash(X509Certificate certificate) throws UntrustedException {
        var name = X500Name.getInstance(certificate.getSubjectX500Principal().getEncoded());
        String text = Arrays.stream(name.getRDNs())
                .map(rdn -> Arrays.stream(rdn.getTypesAndValues())
                        .map(DistinguishedName::written)
                        .collect(Collectors.joining("+", "/", "")))
                .collect(Collectors.joining());
        UntrustedException.throwIf(
                text.chars().anyMatch(c -> c < 0x20 || c == 0x7F), "the subject has control characters");
        return text;
    }

    private static String written(AttributeTypeAndValue part) {
        String value = part.getValue() instanceof ASN1String text ? text.getString() : String.valueOf(part.getValue());
        var bytes = new StringBuilder();
        for (byte b : value.getBytes(StandardCharsets.UTF_8)) {
            bytes.append(b < 0 ? String.format("\\x%02X", b & 0xFF) : String.valueOf((char) b));
        }
        return NAMES.getOrDefault(part.getType(), part.getType().getId()) + "=" + bytes;
    }
}
