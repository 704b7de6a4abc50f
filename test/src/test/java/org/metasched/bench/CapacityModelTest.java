package org.metasched.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.metasched.bench.CapacityModel.Load;

class CapacityModelTest {

    /** A second costs 3, a server's second 5, an ad 2, an ad at another server 0.5, an offer 7. */
    private static JsonNode line(int servers, int advertise, int offers) {
        var load = new Load(servers, 60.0 / advertise, offers / 10.0);
        double cost = 3 + 5 * servers + load.ads() * (2 + 0.5 * (servers - 1)) + 7 * load.offers();
        ObjectNode line = new ObjectMapper().createObjectNode();
        line.put("servers", servers).put("sites", 60).put("advertiseSeconds", advertise);
        line.put("offers", offers).put("seconds", 10).put("p50Millis", 100);
        line.put("statements", 10 * cost);
        line.put("transactions", 10 * cost);
        return line;
    }

    @Test
    void findsThePricesOfWhichLinesAreMade() {
        var model = new CapacityModel(Stream.of(1, 2)
                .flatMap(servers -> Stream.of(line(servers, 60, 0), line(servers, 1, 0), line(servers, 60, 50)))
                .toList());

        var many = new Load(100, 150, 20);
        double cost = 3 + 500 + 150 * (2 + 0.5 * 99) + 140;
        assertThat(model.predicted("statements", many)).isCloseTo(cost, within(1e-6));
    }

    @Test
    void exchangesOfAdsAreAtMostTwoInEachTurn() {
        var lines = Stream.of(1, 2)
                .flatMap(servers -> Stream.of(line(servers, 60, 0), line(servers, 1, 0), line(servers, 60, 50)))
                .toList();

        double flood = new CapacityModel(lines).predicted("transactions", new Load(10, 1e6, 0));

        assertThat(flood).isCloseTo(3 + 50 + 8 * 10, within(1e-3));
    }
}
