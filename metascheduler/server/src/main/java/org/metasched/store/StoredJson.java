package org.metasched.store;

import com.fasterxml.jackson.annotation.JsonAutoDetect.Visibility;
import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.PropertyAccessor;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.cfg.MapperConfig;
import com.fasterxml.jackson.databind.deser.std.StdDelegatingDeserializer;
import com.fasterxml.jackson.databind.introspect.Annotated;
import com.fasterxml.jackson.databind.introspect.AnnotatedConstructor;
import com.fasterxml.jackson.databind.introspect.AnnotatedField;
import com.fasterxml.jackson.databind.introspect.JacksonAnnotationIntrospector;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.StdDelegatingSerializer;
import com.fasterxml.jackson.databind.util.StdConverter;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.metasched.adapter.Need;
import org.metasched.adapter.Requester;
import org.metasched.agreement.Agreement;
import org.metasched.agreement.AgreementRequest;
import org.metasched.agreement.NegotiationBook.Hold;
import org.metasched.agreement.OfferDocument;
import org.metasched.negotiation.SiteReservation;

/**
 * Agreements, holds and requests as JSON in the database, written from their records: each component has a key, and a record of one text is
 * that text. The form is a contract with stored rows: a test with golden rows fails when a component is renamed, and a mix-in then keeps its key.
 * {@code form} counts changes that older servers cannot read. Thread-safe.
 */
final class StoredJson {

    private static final int FORM = 1;

    private static final ObjectMapper MAPPER = JsonMapper.builder()
            .addModules(new Jdk8Module(), new JavaTimeModule(), requesters())
            .annotationIntrospector(new TextRecords())
            .visibility(PropertyAccessor.FIELD, Visibility.ANY)
            .visibility(PropertyAccessor.GETTER, Visibility.NONE)
            .visibility(PropertyAccessor.IS_GETTER, Visibility.NONE)
            .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS, SerializationFeature.WRITE_DURATIONS_AS_TIMESTAMPS)
            .enable(
                    DeserializationFeature.FAIL_ON_TRAILING_TOKENS,
                    DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES)
            .defaultPropertyInclusion(
                    JsonInclude.Value.construct(JsonInclude.Include.NON_ABSENT, JsonInclude.Include.ALWAYS))
            .addMixIn(Need.class, NeedKinds.class)
            .build();

    /** A requester with nothing but a subject is stored as that text. */
    private static SimpleModule requesters() {
        return new SimpleModule()
                .addSerializer(
                        Requester.class,
                        new StdDelegatingSerializer(Requester.class, new StdConverter<Requester, Object>() {
                            @Override
                            public Object convert(Requester who) {
                                boolean isAlone =
                                        who.users().isEmpty() && who.project().isEmpty();
                                return isAlone
                                        ? who.subject()
                                        : new StoredRequester(who.subject(), who.users(), who.project());
                            }
                        }))
                .addDeserializer(
                        Requester.class,
                        new StdDelegatingDeserializer<>(new StdConverter<StoredRequester, Requester>() {
                            @Override
                            public Requester convert(StoredRequester stored) {
                                return new Requester(stored.subject(), stored.users(), stored.project());
                            }
                        }));
    }

    private record StoredRequester(String subject, List<String> users, Optional<String> project) {

        @JsonCreator(mode = JsonCreator.Mode.PROPERTIES)
        StoredRequester {}

        @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
        StoredRequester(String subject) {
            this(subject, List.of(), Optional.empty());
        }
    }

    private StoredJson() {}

    /** An agreement without its documents, which have columns of their own. */
    static String write(Agreement agreement) {
        return text(new StoredAgreement(FORM, agreement.withDocuments(OfferDocument.NONE, Optional.empty())));
    }

    static Agreement read(String text, OfferDocument document, Optional<OfferDocument> acceptance) {
        return parsed(text, StoredAgreement.class).agreement().withDocuments(document, acceptance);
    }

    static String write(Hold hold) {
        return text(new StoredHold(FORM, hold));
    }

    static Hold readHold(String text) {
        return parsed(text, StoredHold.class).hold();
    }

    static String write(SiteReservation reservation) {
        return text(reservation);
    }

    static SiteReservation readReservation(String text) {
        return parsed(text, SiteReservation.class);
    }

    static String write(List<AgreementRequest> alternatives) {
        return text(alternatives);
    }

    static List<AgreementRequest> readRequests(String text) {
        return List.of(parsed(text, AgreementRequest[].class));
    }

    private static String text(Object value) {
        try {
            return MAPPER.writeValueAsString(value);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("A record cannot be written as JSON: " + e.getMessage(), e);
        }
    }

    private static <T> T parsed(String text, Class<T> type) {
        try {
            return MAPPER.readValue(text, type);
        } catch (JsonProcessingException e) {
            throw unreadable(text, e);
        }
    }

    private static IllegalStateException unreadable(String text, JsonProcessingException problem) {
        int form = formOf(text);
        return new IllegalStateException(
                form > FORM
                        ? "A row of the database was written by a newer version (form " + form
                                + "; this one reads form " + FORM + ")."
                        : "A row of the database cannot be read: " + problem.getOriginalMessage(),
                problem);
    }

    private static int formOf(String text) {
        try {
            return MAPPER.readTree(text).path("form").asInt();
        } catch (JsonProcessingException e) {
            return FORM;
        }
    }

    private record StoredAgreement(int form, Agreement agreement) {}

    private record StoredHold(int form, Hold hold) {}

    @JsonTypeInfo(use = JsonTypeInfo.Id.DEDUCTION)
    @JsonSubTypes({
        @JsonSubTypes.Type(Need.Nodes.class),
        @JsonSubTypes.Type(Need.Bandwidth.class),
        @JsonSubTypes.Type(Need.Licences.class)
    })
    private interface NeedKinds {}

    /** Ids and names, which are records with one text, are that text. */
    private static final class TextRecords extends JacksonAnnotationIntrospector {

        private static final long serialVersionUID = 1;

        @Override
        public @Nullable Boolean hasAsValue(Annotated annotated) {
            return annotated instanceof AnnotatedField field && isText(field.getDeclaringClass())
                    ? Boolean.TRUE
                    : super.hasAsValue(annotated);
        }

        @Override
        public JsonCreator.@Nullable Mode findCreatorAnnotation(MapperConfig<?> config, Annotated annotated) {
            return annotated instanceof AnnotatedConstructor constructor && isText(constructor.getDeclaringClass())
                    ? JsonCreator.Mode.DELEGATING
                    : super.findCreatorAnnotation(config, annotated);
        }

        private static boolean isText(Class<?> type) {
            var components = type.getRecordComponents();
            return components != null && components.length == 1 && components[0].getType() == String.class;
        }
    }
}
