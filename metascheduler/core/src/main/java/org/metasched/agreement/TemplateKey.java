package org.metasched.agreement;

/** Name and id of a template, which an offer's context repeats. Either may be empty. */
public record TemplateKey(String name, String id) {

    @Override
    public String toString() {
        return name + " " + id;
    }
}
