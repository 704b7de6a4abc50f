package org.metasched.soap;

import org.metasched.adapter.soap.XmlText;
import org.metasched.agreement.SiteCommitment;
import org.metasched.client.xml.XmlNames;
import org.metasched.client.xml.XmlTrees;
import org.w3c.dom.Element;

/** The program of a part as {@code ms:Job} in its reservation. */
final class JobElement {

    private JobElement() {}

    static void add(Element reservation, SiteCommitment commitment) {
        commitment.run().ifPresent(run -> {
            var status = run.status();
            var element = XmlTrees.add(reservation, XmlNames.METASCHED, "Job");
            element.setAttribute("state", status.state().name());
            set(element, "id", status.id());
            status.exitCode().ifPresent(code -> element.setAttribute("exitCode", Integer.toString(code)));
            set(element, "output", status.output());
            set(element, "detail", status.detail());
        });
    }

    private static void set(Element element, String name, String text) {
        if (!text.isEmpty()) {
            element.setAttribute(name, XmlText.of(text));
        }
    }
}
