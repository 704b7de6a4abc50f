package org.metasched.soap;

import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import javax.xml.namespace.QName;
import org.jspecify.annotations.Nullable;
import org.metasched.adapter.soap.UsualPrefixes;
import org.metasched.client.xml.XmlNames;
import org.metasched.wsag.InvalidQueryExpressionFault;
import org.metasched.wsag.InvalidResourcePropertyQNameFault;
import org.metasched.wsag.QueryEvaluationErrorFault;
import org.metasched.wsag.UnknownQueryExpressionDialectFault;
import org.metasched.wsag.property.GetMultipleResourceProperties;
import org.metasched.wsag.property.GetResourcePropertyDocument;
import org.metasched.wsag.property.PropertyDocumentType;
import org.metasched.wsag.property.PropertyValuesType;
import org.metasched.wsag.property.QueryResourcePropertiesType;
import org.w3c.dom.Element;

/**
 * The operations of WS-ResourceProperties, which are the same at each service that has resources.
 *
 * @param <R> type of the resources that have the properties
 * @param <E> the fault when a message addresses no such resource
 */
abstract class PropertyEndpoint<R, E extends Exception> {

    /** The most names of one message; one with more is answered with a fault. */
    private static final int MOST_NAMES = 64;

    final AgreementFaults faults;
    private final List<QName> known;

    PropertyEndpoint(AgreementFaults faults, List<QName> known) {
        this.faults = faults;
        this.known = List.copyOf(known);
    }

    /** The resource that the message of this thread addresses, if its sender may see it. */
    abstract R addressed() throws E;

    /** The values of a known property; empty if it has none. */
    abstract List<Element> values(R resource, QName name);

    /** The properties, below a root; an endpoint may leave out those that are long lists. */
    abstract Element document(R resource);

    /** Answers with the values of a property, which may be none; an unknown property is a fault. */
    public PropertyValuesType getResourceProperty(QName name) throws InvalidResourcePropertyQNameFault, E {
        return values(addressed(), Collections.singletonList(name));
    }

    public PropertyValuesType getMultipleResourceProperties(GetMultipleResourceProperties request)
            throws InvalidResourcePropertyQNameFault, E {
        return values(addressed(), request.getResourceProperty());
    }

    public PropertyDocumentType getResourcePropertyDocument(GetResourcePropertyDocument request) throws E {
        var response = new PropertyDocumentType();
        response.setAny(document(addressed()));
        return response;
    }

    public PropertyValuesType queryResourceProperties(QueryResourcePropertiesType request)
            throws E, UnknownQueryExpressionDialectFault, InvalidQueryExpressionFault, QueryEvaluationErrorFault {
        return new PropertyQuery(faults).answer(request, document(addressed()));
    }

    private PropertyValuesType values(R resource, List<QName> names) throws InvalidResourcePropertyQNameFault {
        var response = new PropertyValuesType();
        if (names.size() > MOST_NAMES) {
            throw faults.invalidProperty(
                    "The message asks for " + names.size() + " properties; at most " + MOST_NAMES + " are answered.");
        }
        for (var name : names) {
            var meant = meant(name).orElseThrow(() -> faults.noSuchProperty(name, known));
            response.getAny().addAll(values(resource, meant));
        }
        return response;
    }

    /** The property that a name means: one whose prefix the message does not declare is known by its local part. */
    private Optional<QName> meant(@Nullable QName name) {
        if (name == null) {
            return Optional.empty();
        }
        boolean isLocal = Set.of("", XmlNames.PROPERTIES, UsualPrefixes.UNBOUND).contains(name.getNamespaceURI());
        return known.stream()
                .filter(k -> k.equals(name) || (isLocal && k.getLocalPart().equals(name.getLocalPart())))
                .findFirst();
    }
}
