package org.metasched.soap;

import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import javax.xml.namespace.QName;
import org.jspecify.annotations.Nullable;
import org.metasched.adapter.soap.SendersFault;
import org.metasched.adapter.soap.UsualPrefixes;
import org.metasched.adapter.soap.XmlText;
import org.metasched.agreement.making.CreationOutcome;
import org.metasched.agreement.making.OfferAdvice.Nearest;
import org.metasched.client.xml.XmlNames;
import org.metasched.client.xml.XmlTrees;
import org.metasched.wsag.ContinuingFault;
import org.metasched.wsag.ContinuingFaultType;
import org.metasched.wsag.InvalidResourcePropertyQNameFault;
import org.metasched.wsag.ResourceNotDestroyedFault;
import org.metasched.wsag.ResourceUnknownFault;
import org.metasched.wsag.TerminationTimeChangeRejectedFault;
import org.metasched.wsag.fault.BaseFaultType;
import org.metasched.wsag.fault.DescriptionType;
import org.metasched.wsag.fault.ErrorCodeType;
import org.metasched.wsag.lifetime.ResourceNotDestroyedFaultType;
import org.metasched.wsag.lifetime.TerminationTimeChangeRejectedFaultType;
import org.metasched.wsag.property.InvalidResourcePropertyQNameFaultType;
import org.metasched.wsag.resource.ResourceUnknownFaultType;
import org.w3c.dom.Element;

/** Faults of the WS-Agreement services: made here and nowhere else, each with a code for programs and text for people. */
record AgreementFaults(Clock clock) {

    private static final int MOST_DESCRIPTIONS = 50;
    private static final int LONGEST_TEXT = 2000;
    private static final int RETRY_AFTER_SECONDS = 5;

    ContinuingFault invalid(InvalidOfferException problem) {
        return continuing(problem.code, problem.complaints);
    }

    /** @param nearest requests that would be granted: for people a description each, for programs {@code ms:Nearest} */
    ContinuingFault refused(CreationOutcome.Refused refusal, List<Nearest> nearest) {
        var descriptions = new ArrayList<>(List.of(refusal.reason()));
        nearest.forEach(request -> descriptions.add("Nearest (" + request.change() + "): " + request.words() + "; from "
                + request.way().start() + " at "
                + request.way().pieces().stream()
                        .map(piece -> piece.site() + " (" + piece.need().words() + ")")
                        .collect(Collectors.joining(", "))));
        var fault = continuing(ErrorCode.of(refusal.code()), descriptions);
        nearest.forEach(request -> fault.getFaultInfo().getAny().add(element(request)));
        return fault;
    }

    private static Element element(Nearest nearest) {
        var element = XmlTrees.add(XmlTrees.newDocument(), XmlNames.METASCHED, "Nearest");
        element.setAttribute("change", nearest.change());
        element.setAttribute("words", XmlText.of(nearest.words()));
        for (var piece : nearest.way().pieces()) {
            var slot = XmlTrees.add(element, XmlNames.METASCHED, "Slot");
            slot.setAttribute("term", piece.part().term());
            slot.setAttribute("site", piece.site().value());
            slot.setAttribute("amount", Integer.toString(piece.need().amount()));
            slot.setAttribute("start", piece.start().toString());
            slot.setAttribute("end", piece.end().toString());
        }
        return element;
    }

    /** A fault after which the caller may go on with another offer, or with the same one later. */
    ContinuingFault continuing(ErrorCode code, List<String> descriptions) {
        return fault(code, descriptions, new ContinuingFaultType(), ContinuingFault::new);
    }

    ResourceUnknownFault unknown(String id) {
        return unknown(ErrorCode.AGREEMENT_UNKNOWN, "There is no agreement " + shown(id) + " here.");
    }

    ResourceUnknownFault unknown(ErrorCode code, String text) {
        return fault(code, List.of(text), new ResourceUnknownFaultType(), ResourceUnknownFault::new);
    }

    ResourceNotDestroyedFault notDestroyed(String reason) {
        var detail = new ResourceNotDestroyedFaultType();
        return fault(ErrorCode.AGREEMENT_NOT_FINAL, List.of(reason), detail, ResourceNotDestroyedFault::new);
    }

    TerminationTimeChangeRejectedFault timeRejected(String reason) {
        var detail = new TerminationTimeChangeRejectedFaultType();
        return fault(ErrorCode.TIME_REJECTED, List.of(reason), detail, TerminationTimeChangeRejectedFault::new);
    }

    InvalidResourcePropertyQNameFault noSuchProperty(@Nullable QName name, List<QName> known) {
        var text = "There is no property (" + shown(String.valueOf(name)) + "); known are " + known + "."
                + (name != null && name.getNamespaceURI().equals(UsualPrefixes.UNBOUND)
                        ? "\nThe message declares no namespace for the prefix of the name."
                        : "");
        return invalidProperty(text);
    }

    InvalidResourcePropertyQNameFault invalidProperty(String text) {
        var detail = new InvalidResourcePropertyQNameFaultType();
        return fault(ErrorCode.PROPERTY_UNKNOWN, List.of(text), detail, InvalidResourcePropertyQNameFault::new);
    }

    <D extends BaseFaultType, F> F query(D detail, String text, BiFunction<String, D, F> maker) {
        return fault(ErrorCode.QUERY_INVALID, List.of(text), detail, maker);
    }

    private <D extends BaseFaultType, F> F fault(
            ErrorCode code, List<String> descriptions, D detail, BiFunction<String, D, F> maker) {
        if (code.isSenders()) {
            SendersFault.mark();
        } else if (code == ErrorCode.BUSY) {
            SendersFault.retryAfter(RETRY_AFTER_SECONDS);
        }
        detail.setTimestamp(clock.instant());
        var codeElement = new ErrorCodeType();
        codeElement.setDialect(XmlNames.ERROR_DIALECT);
        codeElement.getContent().add(code.name());
        detail.setErrorCode(codeElement);
        descriptions.stream().limit(MOST_DESCRIPTIONS).forEach(text -> {
            var description = new DescriptionType();
            description.setLang("en");
            description.setValue(shown(text));
            detail.getDescription().add(description);
        });
        return maker.apply(code + ": " + shown(String.join("\n", descriptions)), detail);
    }

    private static String shown(String text) {
        return XmlText.of(text.length() > LONGEST_TEXT ? text.substring(0, LONGEST_TEXT) + "…" : text);
    }
}
