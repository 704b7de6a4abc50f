package org.metasched.soap;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import javax.xml.namespace.QName;
import org.jspecify.annotations.Nullable;
import org.metasched.adapter.soap.UsualPrefixes;
import org.metasched.client.xml.Names;
import org.metasched.wsag.InvalidResourcePropertyQNameFault;
import org.metasched.wsag.property.GetMultipleResourceProperties;
import org.metasched.wsag.property.PropertyDocumentType;
import org.metasched.wsag.property.PropertyValuesType;
import org.w3c.dom.Element;

/** The answers of WS-ResourceProperties, over any source of values. */
final class PropertyReading {

    private static final int MOST_NAMES = 64;

    private final List<QName> known;
    private final AgreementFaults faults;

    PropertyReading(List<QName> known, AgreementFaults faults) {
        this.known = List.copyOf(known);
        this.faults = faults;
    }

    /** A property without values gives an empty answer; an unknown one is a fault. */
    PropertyValuesType one(QName name, Function<QName, List<Element>> values) throws InvalidResourcePropertyQNameFault {
        return several(Collections.singletonList(name), values);
    }

    PropertyValuesType several(GetMultipleResourceProperties request, Function<QName, List<Element>> values)
            throws InvalidResourcePropertyQNameFault {
        return several(request.getResourceProperty(), values);
    }

    private PropertyValuesType several(List<QName> names, Function<QName, List<Element>> values)
            throws InvalidResourcePropertyQNameFault {
        var found = new ArrayList<Element>();
        for (var name : names.stream().limit(MOST_NAMES).toList()) {
            var meant = meant(name).orElseThrow(() -> faults.noSuchProperty(name, known));
            found.addAll(values.apply(meant));
        }
        var response = new PropertyValuesType();
        response.getAny().addAll(found);
        return response;
    }

    /** A name that lost its namespace on the way, as clients send it that take it for plain text, is known by its local part. */
    private Optional<QName> meant(@Nullable QName name) {
        if (name == null) {
            return Optional.empty();
        }
        boolean lost = Set.of("", Names.PROPERTIES, UsualPrefixes.UNBOUND).contains(name.getNamespaceURI());
        return known.stream()
                .filter(k -> k.equals(name) || (lost && k.getLocalPart().equals(name.getLocalPart())))
                .findFirst();
    }

    static PropertyDocumentType document(Element root) {
        var response = new PropertyDocumentType();
        response.setAny(root);
        return response;
    }
}
