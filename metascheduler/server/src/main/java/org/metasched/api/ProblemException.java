package org.metasched.api;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Refusal of a request of the API: its status, a code for programs, and sentences for people. */
final class ProblemException extends RuntimeException {

    final int status;
    final String code;
    final transient List<String> reasons;
    final transient List<ObjectNode> suggestions;
    final transient Map<String, String> headers = new LinkedHashMap<>();

    ProblemException(int status, String code, String detail) {
        this(status, code, List.of(detail), List.of());
    }

    /** @param suggestions complete requests that would be granted */
    ProblemException(int status, String code, List<String> reasons, List<ObjectNode> suggestions) {
        super(String.join("\n", reasons), null, false, false);
        this.status = status;
        this.code = code;
        this.reasons = List.copyOf(reasons);
        this.suggestions = List.copyOf(suggestions);
    }

    ProblemException with(String header, String value) {
        headers.put(header, value);
        return this;
    }
}
