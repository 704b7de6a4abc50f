package org.metasched.console;

import com.fasterxml.jackson.databind.JsonNode;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Clock;

/** {@code /api}: the OpenAPI document as a page with its examples. Open, as the descriptions of the SOAP services are. */
public final class ContractPage extends HttpServlet {

    private final transient JsonNode contract;
    private final transient Clock clock;

    public ContractPage(JsonNode contract, Clock clock) {
        this.contract = contract;
        this.clock = clock;
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        PageReply.toAnyone(request, response, clock.instant()).show(JteContractGenerated::render, contract);
    }
}
