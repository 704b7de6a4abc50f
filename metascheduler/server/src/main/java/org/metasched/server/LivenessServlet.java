package org.metasched.server;

/** Whether the process answers at all: asks no other component. A server that is alive and not ready must not be restarted for it. */
final class LivenessServlet extends JsonServlet {

    private static final long serialVersionUID = 1L;

    @Override
    Answer answer() {
        return new Answer(200, MAPPER.createObjectNode().put("status", "alive"));
    }
}
