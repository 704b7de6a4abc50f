package org.metasched.soap;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import javax.xml.namespace.QName;
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
        return several(List.of(name), values);
    }

    PropertyValuesType several(GetMultipleResourceProperties request, Function<QName, List<Element>> values)
            throws InvalidResourcePropertyQNameFault {
        return several(request.getResourceProperty(), values);
    }

    private PropertyValuesType several(List<QName> names, Function<QName, List<Element>> values)
            throws InvalidResourcePropertyQNameFault {
        var found = new ArrayList<Element>();
        for (var name : names.stream().limit(MOST_NAMES).toList()) {
            if (!known.contains(name)) {
                throw faults.noSuchProperty(name, known);
            }
            found.addAll(values.apply(name));
        }
        var response = new PropertyValuesType();
        response.getAny().addAll(found);
        return response;
    }

    static PropertyDocumentType document(Element root) {
        var response = new PropertyDocumentType();
        response.setAny(root);
        return response;
    }
}
