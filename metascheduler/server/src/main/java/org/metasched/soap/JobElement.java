package org.metasched.soap;

import java.util.Optional;
import org.metasched.adapter.JobStatus;
import org.metasched.adapter.soap.XmlText;
import org.metasched.agreement.Commitment;
import org.w3c.dom.Element;

/** The program of a part as {@code ms:Job} in its reservation, both ways. */
final class JobElement {

    private JobElement() {}

    static void add(Element reservation, Commitment commitment) {
        commitment.run().ifPresent(run -> {
            var status = run.status();
            var element = Xml.add(reservation, Names.METASCHED, "Job");
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

    static Optional<JobStatus> read(Element reservation) {
        return Xml.child(reservation, Names.METASCHED, "Job")
                .map(job -> new JobStatus(
                        JobStatus.State.valueOf(job.getAttribute("state")),
                        job.getAttribute("id"),
                        Optional.of(job.getAttribute("exitCode"))
                                .filter(code -> !code.isEmpty())
                                .map(Integer::valueOf),
                        job.getAttribute("output"),
                        job.getAttribute("detail")));
    }
}
