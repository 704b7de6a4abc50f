package org.metasched.console;

import gg.jte.html.HtmlInterceptor;
import gg.jte.html.HtmlTemplateOutput;
import gg.jte.html.OwaspHtmlTemplateOutput;
import gg.jte.output.StringOutput;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.metasched.adapter.ResourceText;
import org.metasched.drawing.XmlEscapes;

/** Writes the compiled templates of {@code src/main/jte}. The engine escapes by context; unreadable characters are replaced here. */
final class PageOutput extends OwaspHtmlTemplateOutput {

    static final String SHEET = ResourceText.of(PageOutput.class, "console.css");
    static final String SCRIPT = ResourceText.of(PageOutput.class, "console.js");
    private static final String POLICY =
            "default-src 'none'; style-src 'unsafe-inline'; img-src data:; script-src 'self'; connect-src 'self';"
                    + " form-action 'self'; frame-ancestors 'none'; base-uri 'none'";

    private PageOutput(StringOutput text) {
        super(text);
    }

    /** A compiled template that shows a model. */
    @FunctionalInterface
    interface Template<M> {
        void render(HtmlTemplateOutput out, HtmlInterceptor none, PageContext view, M model);
    }

    /** Answers with a page that loads nothing but the script of the console, and that no other site may frame. */
    static <M> void answer(HttpServletResponse response, int status, Template<M> template, PageContext view, M model)
            throws IOException {
        byte[] page = page(template, view, model).getBytes(StandardCharsets.UTF_8);
        response.setStatus(status);
        response.setContentType("text/html;charset=utf-8");
        response.setHeader("Content-Security-Policy", POLICY);
        response.setHeader("X-Content-Type-Options", "nosniff");
        response.setHeader("X-Frame-Options", "DENY");
        // With no-referrer, browsers send forms with the origin "null".
        response.setHeader("Referrer-Policy", "same-origin");
        response.setHeader("Cache-Control", "no-store");
        response.getOutputStream().write(page);
    }

    @SuppressWarnings("NullAway") // Generated code passes the interceptor on and calls none.
    static <M> String page(Template<M> template, PageContext view, M model) {
        var text = new StringOutput();
        template.render(new PageOutput(text), null, view, model);
        return text.toString();
    }

    @Override
    public void writeUserContent(@Nullable String value) {
        super.writeUserContent(value == null ? null : XmlEscapes.readable(value));
    }
}
