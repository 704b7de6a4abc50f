package org.metasched.simulation.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.metasched.simulation.report.LineChart.Point;
import org.metasched.simulation.report.LineChart.Series;

class LineChartTest {

    /** A delay may be negative: local jobs may begin earlier because of others. */
    @Test
    void anIntervalBelowZeroIsDrawnWhereItIs() {
        var chart = new LineChart("delay", "share", false);
        chart.add(new Series("easy", List.of(new Point(0, -2, 1), new Point(1, 1, 0.5)), false));

        assertThat(chart.svg())
                .contains(">-3<", ">-2<", ">-1<", ">0<", ">1<", ">2<")
                .doesNotContain(">3<", ">-4<");
    }

    @Test
    void aPositiveChartBeginsAtZero() {
        var chart = new LineChart("waits", "share", false);
        chart.add(new Series("easy", List.of(new Point(0, 30, 10), new Point(1, 90, Double.NaN)), false));

        assertThat(chart.svg()).contains(">20<", ">100<").doesNotContain(">-");
    }

    @Test
    void aTinyNegativeNumberIsZero() {
        assertThat(LineChart.number(-0.0004)).isEqualTo("0");
    }
}
