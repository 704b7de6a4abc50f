package org.metasched.soap.collector;

import static org.metasched.adapter.soap.MessageContext.required;
import static org.metasched.adapter.soap.MessageContext.requiredId;

import jakarta.jws.WebService;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.metasched.adapter.soap.MessageContext;
import org.metasched.adapter.soap.SendersFault;
import org.metasched.classad.ClassAd;
import org.metasched.classad.ClassAdSyntaxException;
import org.metasched.classad.Expr;
import org.metasched.classad.collector.AdKey;
import org.metasched.classad.collector.AdvertiseReceipt;
import org.metasched.classad.collector.Collector;
import org.metasched.classad.collector.CollectorQuery;
import org.metasched.matches.OwnMatches;
import org.metasched.trust.Authorizer;
import org.metasched.trust.ProtectedResource;
import org.metasched.wsag.collector.Advertise;
import org.metasched.wsag.collector.AdvertiseResponse;
import org.metasched.wsag.collector.Invalidate;
import org.metasched.wsag.collector.InvalidateResponse;
import org.metasched.wsag.collector.QueryResponse;
import org.metasched.wsag.collector.ReceiptType;
import org.metasched.wsag.collector.RejectedFault;
import org.metasched.wsag.collector.RenewMatch;
import org.metasched.wsag.collector.RenewMatchResponse;
import org.metasched.wsag.collector.SelectionType;
import org.metasched.wsag.collector.SettleMatch;
import org.metasched.wsag.collector.SettleMatchResponse;
import org.metasched.wsag.collector.TakeMatch;
import org.metasched.wsag.collector.TakeMatchResponse;

/** The collector behind SOAP. An ad that does not parse is refused in its receipt; the others of the message are kept. Thread-safe. */
@WebService(
        serviceName = "CollectorService",
        portName = "CollectorPort",
        targetNamespace = "urn:metasched:collector:1",
        endpointInterface = "org.metasched.wsag.collector.Collector",
        wsdlLocation = "classpath:org/metasched/wsdl/collector.wsdl")
public final class CollectorEndpoint implements org.metasched.wsag.collector.Collector {

    private static final int MOST_ADS_PER_MESSAGE = 10_000;

    private final Authorizer guard;
    private final AdOwners owners;
    /** Guarded by itself. Its lock also covers the replacement of an ad, from the look at the owner on. */
    private final AdBytes bytes;

    private final Collector collector;
    private final OwnMatches matches;

    /**
     * @param owners owners of ads
     * @param guard authorizer that decides who may change whose ads
     */
    public CollectorEndpoint(Collector collector, OwnMatches matches, AdOwners owners, Authorizer guard) {
        this.guard = guard;
        this.owners = owners;
        this.bytes = new AdBytes(collector);
        this.collector = collector;
        this.matches = matches;
    }

    @Override
    public AdvertiseResponse advertise(Advertise message) throws RejectedFault {
        return answer(() -> {
            if (message.getAd().size() > MOST_ADS_PER_MESSAGE) {
                throw new IllegalArgumentException("A message must have at most " + MOST_ADS_PER_MESSAGE
                        + " ads, but this one has " + message.getAd().size() + ".");
            }
            var response = new AdvertiseResponse();
            var call = MessageContext.call();
            guard.note(call, message.getAd().size() + " ads");
            message.getAd().forEach(text -> response.getReceipt().add(receiptType(receive(call, text))));
            return response;
        });
    }

    @Override
    public InvalidateResponse invalidate(Invalidate message) throws RejectedFault {
        return answer(() -> {
            var response = new InvalidateResponse();
            var key = message.getKey();
            var named = key != null
                    ? List.of(new AdKey(required("type", key.getType()), required("name", key.getName())))
                    : collector.query(read(message.getSelection(), List.of(), null)).stream()
                            .map(AdKey::of)
                            .toList();
            guard.note(MessageContext.call(), named.size() + " ads");
            response.setDropped(invalidateOwn(named.stream()));
            return response;
        });
    }

    @Override
    public QueryResponse query(org.metasched.wsag.collector.Query message) throws RejectedFault {
        return answer(() -> {
            var response = new QueryResponse();
            var query = read(message.getSelection(), message.getAttribute(), message.getLimit());
            collector.query(query).forEach(ad -> response.getAd().add(ad.print()));
            return response;
        });
    }

    @Override
    public TakeMatchResponse takeMatch(TakeMatch message) throws RejectedFault {
        return answer(() -> {
            var response = new TakeMatchResponse();
            String site = required("site", message.getSite());
            matches.take(MessageContext.call(), site, required("holder", message.getHolder()), message.getNodes())
                    .ifPresent(match -> response.setMatch(match.toString()));
            return response;
        });
    }

    @Override
    public RenewMatchResponse renewMatch(RenewMatch message) throws RejectedFault {
        return answer(() -> {
            var response = new RenewMatchResponse();
            response.setHeld(matches.renew(MessageContext.call(), requiredId("match", message.getMatch())));
            return response;
        });
    }

    @Override
    public SettleMatchResponse settleMatch(SettleMatch message) throws RejectedFault {
        return answer(() -> {
            var response = new SettleMatchResponse();
            UUID match = requiredId("match", message.getMatch());
            var call = MessageContext.call();
            response.setHeld(message.isKeep() ? matches.commit(call, match) : matches.release(call, match));
            return response;
        });
    }

    private AdvertiseReceipt receive(Authorizer.Call call, String text) {
        try {
            var ad = ClassAd.parse(text).without(AdOwners.SENDER);
            var owned = call.subject().isKnown()
                    ? ad.with(AdOwners.SENDER, call.subject().name())
                    : ad;
            synchronized (bytes) {
                return refusal(call, owned)
                        .<AdvertiseReceipt>map(AdvertiseReceipt.Refused::new)
                        .orElseGet(() -> collector.advertise(owned));
            }
        } catch (ClassAdSyntaxException e) {
            return new AdvertiseReceipt.Refused(String.valueOf(e.getMessage()));
        }
    }

    private Optional<String> refusal(Authorizer.Call call, ClassAd ad) {
        AdKey key;
        try {
            key = AdKey.of(ad);
        } catch (IllegalArgumentException e) {
            // The collector says what is wrong with the ad.
            return Optional.empty();
        }
        if (!mayChange(call, key, ad)) {
            return Optional.of("The ad " + key + ", or its site, is another's."
                    + "\nMaybe the site's entry in the server's configuration names no subject, or another one.");
        }
        int most = guard.mostAdBytes(call.subject());
        return most == Integer.MAX_VALUE || bytes.addIfFits(call.subject().name(), key, ad, most)
                ? Optional.empty()
                : Optional.of("The sender has as many bytes of ads as it may have (" + most + ").");
    }

    /** Drops the ads that are the sender's, and returns their number; the others stay. */
    private int invalidateOwn(Stream<AdKey> keys) {
        var call = MessageContext.call();
        return (int) keys.filter(key -> collector.find(key).isPresent() && mayChange(call, key, ClassAd.EMPTY))
                .filter(collector::invalidate)
                .count();
    }

    private boolean mayChange(Authorizer.Call call, AdKey key, ClassAd ad) {
        return owners.of(key, ad, call.subject().name()).stream()
                .allMatch(owner -> guard.shows(call, new ProtectedResource(key.type(), key.name(), owner)));
    }

    private static CollectorQuery read(
            @Nullable SelectionType selection, List<String> attributes, @Nullable Integer limit) {
        if (selection == null) {
            throw new IllegalArgumentException("The message must have a Selection.");
        }
        CollectorQuery query = new CollectorQuery(
                Optional.ofNullable(selection.getType()),
                CollectorQuery.all().constraint(),
                attributes,
                limit == null ? Integer.MAX_VALUE : limit);
        String constraint = selection.getConstraint();
        try {
            return constraint == null ? query : query.where(Expr.parse(constraint));
        } catch (ClassAdSyntaxException e) {
            throw new IllegalArgumentException("The constraint is not a ClassAd expression: " + e.getMessage(), e);
        }
    }

    private static ReceiptType receiptType(AdvertiseReceipt receipt) {
        var written = new ReceiptType();
        return receipt.fold(
                kept -> {
                    var value = new ReceiptType.Kept();
                    value.setType(kept.key().type());
                    value.setName(kept.key().name());
                    value.setFirst(kept.first());
                    written.setKept(value);
                    return written;
                },
                late -> {
                    var value = new ReceiptType.Late();
                    value.setType(late.key().type());
                    value.setName(late.key().name());
                    value.setNewest(late.newest());
                    value.setOffered(late.offered());
                    written.setLate(value);
                    return written;
                },
                refused -> {
                    written.setRefused(refused.reason());
                    return written;
                });
    }

    private static <T> T answer(Supplier<T> work) throws RejectedFault {
        try {
            return work.get();
        } catch (IllegalArgumentException e) {
            String words = String.valueOf(e.getMessage());
            SendersFault.mark();
            throw new RejectedFault(words, words);
        }
    }
}
