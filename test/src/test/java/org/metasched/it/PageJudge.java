package org.metasched.it;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.assertj.core.api.SoftAssertions;

/** Whether the page of a browser is readable: by its width, and by the rules of accessibility, as it is and in the dark. */
final class PageJudge {

    private static final String RULES = "/META-INF/resources/webjars/axe-core/4.6.3/axe.min.js";

    private final Chromium browser;
    private final Path pictures;
    private final String axe;

    /** @param pictures the folder for what was seen in the dark */
    PageJudge(Chromium browser, Path pictures) throws IOException {
        this.browser = browser;
        this.pictures = pictures;
        try (InputStream in = Objects.requireNonNull(PageJudge.class.getResourceAsStream(RULES))) {
            axe = new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    /** Opens a page, which must have no complaint and a title of ours, and judges it. */
    void open(SoftAssertions soft, String page, int width, String name) throws Exception {
        browser.open(page);
        browser.picture(pictures.resolve(name + ".png"));
        soft.assertThat(browser.complaints()).as(page).isEmpty();
        soft.assertThat(browser.script("return document.title").asText())
                .as(page)
                .endsWith("· metasched");
        judge(soft, page, width, name + "-dark.png");
    }

    void judge(SoftAssertions soft, String page, int width, String picture) throws Exception {
        soft.assertThat(browser.script("return document.documentElement.scrollWidth")
                        .asInt())
                .as("%s at %s pixels: the width it needs", page, width)
                .isLessThanOrEqualTo(width);
        soft.assertThat(violations()).as("%s at %s pixels", page, width).isEmpty();
        browser.isDark(true);
        browser.picture(pictures.resolve(picture));
        soft.assertThat(violations())
                .as("%s at %s pixels, in the dark", page, width)
                .isEmpty();
        browser.isDark(false);
    }

    /** The rules that the page breaks, of those that keep people from using it. */
    List<String> violations() throws Exception {
        browser.script(axe + ";window.axe = axe;");
        var found = browser.waiting("""
            var done = arguments[arguments.length - 1];
            axe.run(document, {resultTypes: ['violations']}).then(function (r) { done(r.violations
              .filter(function (v) { return v.impact === 'serious' || v.impact === 'critical'; })
              .map(function (v) { return v.id + ': ' + v.nodes.map(function (n) { return n.html; }).join(' ').slice(0, 400); })); });
            """);
        List<String> broken = new ArrayList<>();
        found.forEach(rule -> broken.add(rule.asText()));
        return broken;
    }
}
