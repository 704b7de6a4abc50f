package org.metasched.cli.output;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonSerializer;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.ToStringSerializer;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import org.metasched.adapter.JobStatus;
import org.metasched.adapter.SiteId;
import org.metasched.classad.ClassAd;
import org.metasched.classad.Expr;
import org.metasched.classad.Value;
import org.metasched.classad.gang.RootExplanation;
import org.metasched.classad.match.PoolVerdict;
import org.metasched.classad.match.Verdict;
import org.metasched.client.AgreementView;
import org.metasched.dag.DagProblem;
import org.metasched.soap.claiming.ClaimingClient;

/**
 * Results as JSON: records, whose components are the keys. Times, spans and paths are text; values and expressions of ClassAds are text
 * in their own syntax; an empty Optional is null unless its component says otherwise. The forms below name the keys of libraries' records.
 */
public final class ResultMapper {

    private static final ObjectMapper MAPPER = new ObjectMapper()
            .registerModule(new Jdk8Module())
            .registerModule(new SimpleModule()
                    .addSerializer(Instant.class, ToStringSerializer.instance)
                    .addSerializer(Duration.class, ToStringSerializer.instance)
                    .addSerializer(Path.class, ToStringSerializer.instance)
                    .addSerializer(SiteId.class, ToStringSerializer.instance)
                    .addSerializer(ClassAd.class, printed(ClassAd::print))
                    .addSerializer(Expr.class, printed(Expr::print))
                    .addSerializer(Value.class, printed(Value::print)))
            .addMixIn(AgreementView.class, AgreementForm.class)
            .addMixIn(AgreementView.SiteView.class, SiteForm.class)
            .addMixIn(ClaimingClient.Claim.class, ClaimForm.class)
            .addMixIn(DagProblem.class, ProblemForm.class)
            .addMixIn(PoolVerdict.class, PoolForm.class)
            .addMixIn(PoolVerdict.Clause.class, ClauseForm.class)
            .addMixIn(Verdict.class, PairForm.class)
            .addMixIn(Verdict.Conjunct.class, ConjunctForm.class)
            .addMixIn(RootExplanation.PortFinding.class, PortVerdictForm.class)
            .addMixIn(RootExplanation.DeadEnd.class, PortVerdictForm.class);

    private ResultMapper() {}

    public static String json(Object result) {
        try {
            return MAPPER.writeValueAsString(result);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("The result cannot be written as JSON: " + e.getMessage(), e);
        }
    }

    /** Writes values as the text that a function makes of them. */
    private static <T> JsonSerializer<T> printed(Function<T, String> print) {
        return new JsonSerializer<>() {
            @Override
            public void serialize(T value, JsonGenerator out, SerializerProvider all) throws IOException {
                out.writeString(print.apply(value));
            }
        };
    }

    private interface AgreementForm {
        @JsonInclude(Include.NON_ABSENT)
        Optional<String> reason();
    }

    private interface SiteForm {
        @JsonProperty("nodes")
        int amount();

        @JsonInclude(Include.NON_ABSENT)
        Optional<JobStatus> job();
    }

    private interface ClaimForm {
        @JsonProperty("claim")
        UUID id();
    }

    @JsonPropertyOrder({"file", "line", "column", "message"})
    private interface ProblemForm {
        @JsonProperty
        String message();
    }

    private interface PoolForm {
        @JsonIgnore
        ClassAd customer();

        @JsonProperty("accepted")
        int meetingConstraint();

        @JsonProperty("accepting")
        int acceptingCustomer();

        @JsonInclude(Include.NON_EMPTY)
        List<PoolVerdict.Waiting> waiting();
    }

    private interface ClauseForm {
        @JsonProperty("clause")
        String expression();

        @JsonInclude(Include.NON_EMPTY)
        String sees();

        @JsonInclude(Include.NON_ABSENT)
        Optional<String> inPool();
    }

    @JsonPropertyOrder({"matches", "customer", "offer", "notes"})
    private interface PairForm {
        @JsonIgnore
        ClassAd customer();

        @JsonIgnore
        ClassAd offer();

        @JsonIgnore
        double rank();

        @JsonIgnore
        double offerRank();

        @JsonProperty("customer")
        List<Verdict.Conjunct> customerSide();

        @JsonProperty("offer")
        List<Verdict.Conjunct> offerSide();
    }

    private interface ConjunctForm {
        @JsonProperty("conjunct")
        String expression();
    }

    @JsonPropertyOrder({"label", "least", "available"})
    private interface PortVerdictForm {
        @JsonUnwrapped
        PoolVerdict verdict();
    }
}
