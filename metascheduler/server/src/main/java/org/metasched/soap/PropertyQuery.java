package org.metasched.soap;

import java.util.ArrayList;
import java.util.List;
import javax.xml.XMLConstants;
import javax.xml.xpath.XPathEvaluationResult.XPathResultType;
import javax.xml.xpath.XPathExpressionException;
import javax.xml.xpath.XPathNodes;
import org.metasched.adapter.soap.XmlText;
import org.metasched.client.xml.XmlNames;
import org.metasched.client.xml.XmlTrees;
import org.metasched.wsag.InvalidQueryExpressionFault;
import org.metasched.wsag.QueryEvaluationErrorFault;
import org.metasched.wsag.UnknownQueryExpressionDialectFault;
import org.metasched.wsag.property.InvalidQueryExpressionFaultType;
import org.metasched.wsag.property.PropertyValuesType;
import org.metasched.wsag.property.QueryEvaluationErrorFaultType;
import org.metasched.wsag.property.QueryResourcePropertiesType;
import org.metasched.wsag.property.UnknownQueryExpressionDialectFaultType;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.Node;

/**
 * Queries over the document of a resource's properties (WS-ResourceProperties 1.2, section 6), in XPath 1.0 without variables and extension
 * functions. The context is the document's root element. Elements are answered as they are, other nodes and values as the text of {@code ms:Value},
 * which is nil where nothing was found. What a query may cost is bounded before it runs.
 */
record PropertyQuery(AgreementFaults faults) {

    private static final String DIALECT = "http://www.w3.org/TR/1999/REC-xpath-19991116";
    /** Most elements in an answer, counting those inside others. */
    private static final int MOST_ELEMENTS = 20_000;

    /** @param root root element of a document of its own */
    PropertyValuesType answer(QueryResourcePropertiesType request, Element root)
            throws UnknownQueryExpressionDialectFault, InvalidQueryExpressionFault, QueryEvaluationErrorFault {
        var expression = request.getQueryExpression();
        var dialect = expression == null ? "" : expression.getAttribute("Dialect");
        if (!dialect.equals(DIALECT)) {
            String why = "The dialect (" + dialect + ") must be " + DIALECT + ".";
            throw faults.query(
                    new UnknownQueryExpressionDialectFaultType(), why, UnknownQueryExpressionDialectFault::new);
        }
        try {
            PathCost.checkForm(expression.getTextContent().strip());
            var path = LocationPath.of(expression);
            var compiled = path.compiled();
            var response = new PropertyValuesType();
            response.getAny().addAll(evaluated(path.toString(), compiled, root));
            return response;
        } catch (XPathExpressionException | IllegalArgumentException e) {
            String why = "The query is not an XPath expression that is read here: " + e.getMessage() + ".";
            throw faults.query(new InvalidQueryExpressionFaultType(), why, InvalidQueryExpressionFault::new);
        }
    }

    private List<Element> evaluated(String path, javax.xml.xpath.XPathExpression compiled, Element root)
            throws QueryEvaluationErrorFault {
        try {
            PathCost.check(path, (Document) root.getParentNode());
            var result = compiled.evaluateExpression(root);
            if (result.type() != XPathResultType.NODESET) {
                return List.of(value(compiled.evaluate(root)));
            }
            return elements((XPathNodes) result.value());
        } catch (XPathExpressionException | IllegalArgumentException e) {
            String why = "The query cannot be evaluated: " + e.getMessage() + ".";
            throw faults.query(new QueryEvaluationErrorFaultType(), why, QueryEvaluationErrorFault::new);
        }
    }

    private static List<Element> elements(XPathNodes nodes) {
        var answer = new ArrayList<Element>();
        int size = 0;
        for (Node node : nodes) {
            if (node instanceof Document document) {
                node = document.getDocumentElement();
            }
            if (node instanceof Element element) {
                size += 1 + element.getElementsByTagName("*").getLength();
                answer.add(XmlTrees.adopt(XmlTrees.newDocument(), element));
            } else {
                size++;
                answer.add(value(node.getNodeValue()));
            }
            if (size > MOST_ELEMENTS) {
                throw new IllegalArgumentException("the answer has more than " + MOST_ELEMENTS + " elements");
            }
        }
        return answer.isEmpty() ? List.of(nothing()) : answer;
    }

    private static Element value(String text) {
        return XmlTrees.add(XmlTrees.newDocument(), XmlNames.METASCHED, "Value", XmlText.of(text));
    }

    /** An empty answer: the published schema wants an element. */
    private static Element nothing() {
        var value = value("");
        value.setAttributeNS(XMLConstants.W3C_XML_SCHEMA_INSTANCE_NS_URI, "xsi:nil", "true");
        return value;
    }
}
