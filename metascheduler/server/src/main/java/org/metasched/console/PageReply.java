package org.metasched.console;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.metasched.agreement.Agreement;
import org.metasched.console.PageOutput.Template;
import org.metasched.notice.CalendarServlet;
import org.metasched.notice.CalendarText;
import org.metasched.trust.Authorizer;
import org.metasched.trust.Subject;

/** Answers one request of a person: with a page, with a sentence, or with the way to another page. */
record PageReply(HttpServletResponse response, PageContext view) {

    /** A reply that does not depend on who asks. */
    static PageReply toAnyone(HttpServletRequest request, HttpServletResponse response, Instant now) {
        String home = request.getContextPath() + ConsoleServlet.PATH;
        var unknown = new Authorizer.Call(Subject.ANONYMOUS, "", "");
        return new PageReply(response, new PageContext(home, now, 0, Authorizer.OPEN, unknown, "", TimeLabels.UTC));
    }

    <M> void show(Template<M> template, M model) throws IOException {
        show(HttpServletResponse.SC_OK, template, model);
    }

    <M> void show(int status, Template<M> template, M model) throws IOException {
        PageOutput.answer(response, status, template, view, model);
    }

    /** Replies with a page of one message. */
    void say(int status, String title, String text) throws IOException {
        show(status, JteMessageGenerated::render, new MessageModel(title, text));
    }

    /** Replies with an agreement that the person may see, as a file for a calendar program. */
    void calendar(Optional<Agreement> shown) throws IOException {
        if (shown.isEmpty()) {
            notFound();
            return;
        }
        var agreement = shown.get();
        response.setHeader("Content-Disposition", "attachment; filename=\"" + agreement.id() + ".ics\"");
        response.setHeader("X-Content-Type-Options", "nosniff");
        response.setHeader("Cache-Control", "no-store");
        CalendarServlet.send(CalendarText.ofPerson(List.of(agreement)), response);
    }

    void notFound() throws IOException {
        String why = "There is no such page, or the agreement was forgotten, or it is another's.";
        say(HttpServletResponse.SC_NOT_FOUND, "Not here", why);
    }

    /** Leads the browser on after a form, so that loading the page again does not send the form again. */
    void goTo(String page) {
        goTo(response, view.home() + page);
    }

    static void goTo(HttpServletResponse response, String address) {
        response.setStatus(HttpServletResponse.SC_SEE_OTHER);
        response.setHeader("Location", address);
        response.setHeader("Cache-Control", "no-store");
    }
}
