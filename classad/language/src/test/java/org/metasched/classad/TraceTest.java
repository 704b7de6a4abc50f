package org.metasched.classad;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TraceTest {

    /** The second column has the parts of the trace, with commas between them. */
    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "ifThenElse(true, NoSuch, 1/0); NoSuch",
                "ifThenElse(1 > 2, NoSuch, 1/0); '1 > 2, 1 / 0'",
                "IfThenElse(NoSuch, 1/0, 2/0); NoSuch",
                "NoSuch ? 1/0 : 2/0; NoSuch",
                "ifThenElse(NoSuch); ''",
                "siz(NoSuch); ''",
                "size(NoSuch); NoSuch",
                "countMatches(Cpus > 1, NoSuch); NoSuch",
                "evalInEachContext(Cpus > 1, NoSuch); NoSuch",
                "unparse(1/0); ''",
                "unresolved(NoSuch, 1/0); 1 / 0",
                "eval(NoSuch); NoSuch",
                "NoSuch > (5); NoSuch",
                "NoSuch > (undefined); 'NoSuch, (undefined)'",
                "{ NoSuch, 1/0 }; ''",
                "[ a = NoSuch ]; ''"
            })
    void partsAreTheOperandsThatAreEvaluated(String expression, String parts) throws Exception {
        Trace trace = Trace.of(Expr.parse(expression), Scope.of(ClassAd.EMPTY, LookupMode.NEW));

        List<String> shown =
                trace.parts().stream().map(part -> part.expression().print()).toList();
        assertThat(String.join(", ", shown)).isEqualTo(parts);
    }
}
