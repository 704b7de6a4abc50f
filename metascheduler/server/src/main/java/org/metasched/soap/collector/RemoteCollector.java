package org.metasched.soap.collector;

import jakarta.xml.ws.WebServiceException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.IntConsumer;
import org.apache.cxf.frontend.ClientProxy;
import org.metasched.adapter.soap.NoAnswer;
import org.metasched.adapter.soap.OutgoingCalls;
import org.metasched.classad.ClassAd;
import org.metasched.classad.ClassAdSyntaxException;
import org.metasched.classad.collector.AdKey;
import org.metasched.classad.collector.AdvertiseReceipt;
import org.metasched.classad.collector.Advertisement;
import org.metasched.classad.collector.Collector;
import org.metasched.classad.collector.CollectorQuery;
import org.metasched.trust.ClientCredentials;
import org.metasched.wsag.collector.Advertise;
import org.metasched.wsag.collector.CollectorService;
import org.metasched.wsag.collector.Invalidate;
import org.metasched.wsag.collector.KeyType;
import org.metasched.wsag.collector.ReceiptType;
import org.metasched.wsag.collector.RejectedFault;
import org.metasched.wsag.collector.SelectionType;

/**
 * Client of a collector behind SOAP. Thread-safe. A failure of the network is an {@link UncheckedIOException}; private parts of ads
 * stay on the other side.
 */
public final class RemoteCollector implements Collector, AutoCloseable {

    private static final Duration CONNECT_WITHIN = Duration.ofSeconds(10);
    private static final int ADS_PER_MESSAGE = 1000;
    private static final int CHARACTERS_PER_MESSAGE = 500_000;

    private final org.metasched.wsag.collector.Collector port;
    private final URI endpoint;

    /** @param server base URL of a metasched server, such as {@code http://127.0.0.1:8080} */
    public static RemoteCollector at(URI server, Duration answerWithin) {
        return at(server, answerWithin, ClientCredentials.ANONYMOUS);
    }

    /** @param caller credentials of the user at the collector */
    public static RemoteCollector at(URI server, Duration answerWithin, ClientCredentials caller) {
        String base = server.toString().replaceAll("/+$", "");
        var connectWithin = answerWithin.compareTo(CONNECT_WITHIN) < 0 ? answerWithin : CONNECT_WITHIN;
        return new RemoteCollector(
                URI.create(base + "/services/Collector"), new OutgoingCalls(caller, connectWithin, answerWithin));
    }

    private RemoteCollector(URI endpoint, OutgoingCalls calls) {
        this.endpoint = endpoint;
        this.port = calls.configure(new CollectorService().getCollectorPort(), endpoint);
    }

    @Override
    public AdvertiseReceipt advertise(ClassAd ad) {
        return advertiseAll(List.of(ad)).get(0);
    }

    /** Advertises several ads; a receipt for each, in order. */
    public List<AdvertiseReceipt> advertiseAll(List<ClassAd> ads) {
        return advertiseAll(ads, answered -> {});
    }

    /**
     * Advertises any number of ads, in as many messages as they need; a receipt for each, in order. If the network fails, the ads of
     * earlier messages are there, and all may be sent again.
     *
     * @param progress receiver of the number of ads answered so far, after each message
     */
    public List<AdvertiseReceipt> advertiseAll(List<ClassAd> ads, IntConsumer progress) {
        var receipts = new ArrayList<AdvertiseReceipt>(ads.size());
        var message = new Advertise();
        int characters = 0;
        for (ClassAd ad : ads) {
            String text = ad.print();
            if (message.getAd().size() == ADS_PER_MESSAGE
                    || !message.getAd().isEmpty() && characters + text.length() > CHARACTERS_PER_MESSAGE) {
                receipts.addAll(send(message));
                progress.accept(receipts.size());
                message = new Advertise();
                characters = 0;
            }
            message.getAd().add(text);
            characters += text.length();
        }
        receipts.addAll(send(message));
        progress.accept(receipts.size());
        return receipts;
    }

    private List<AdvertiseReceipt> send(Advertise message) {
        return call(to -> to.advertise(message)).getReceipt().stream()
                .map(RemoteCollector::read)
                .toList();
    }

    @Override
    public boolean invalidate(AdKey key) {
        var message = new Invalidate();
        var named = new KeyType();
        named.setType(key.type());
        named.setName(key.name());
        message.setKey(named);
        return call(to -> to.invalidate(message)).getDropped() > 0;
    }

    @Override
    public int invalidate(CollectorQuery query) {
        var message = new Invalidate();
        message.setSelection(selection(query));
        return call(to -> to.invalidate(message)).getDropped();
    }

    @Override
    public List<ClassAd> query(CollectorQuery query) {
        var message = new org.metasched.wsag.collector.Query();
        message.setSelection(selection(query));
        message.getAttribute().addAll(query.projection());
        message.setLimit(query.limit());
        return call(to -> to.query(message)).getAd().stream().map(this::parsed).toList();
    }

    @Override
    public Optional<Advertisement> find(AdKey key) {
        return query(CollectorQuery.ofType(key.type()).named(key.name())).stream()
                .map(RemoteCollector::advertisement)
                .filter(ad -> ad.key().equals(key))
                .findFirst();
    }

    /** Public parts only. */
    @Override
    public List<Advertisement> candidates(CollectorQuery query) {
        return query(query).stream().map(RemoteCollector::advertisement).toList();
    }

    /** Public parts only. */
    @Override
    public List<Advertisement> snapshot() {
        return candidates(CollectorQuery.all());
    }

    @Override
    public void close() {
        ClientProxy.getClient(port).destroy();
    }

    private static SelectionType selection(CollectorQuery query) {
        var selection = new SelectionType();
        query.type().ifPresent(selection::setType);
        selection.setConstraint(query.constraint().print());
        return selection;
    }

    private static AdvertiseReceipt read(ReceiptType written) {
        if (written.getKept() != null) {
            var kept = written.getKept();
            return new AdvertiseReceipt.Kept(new AdKey(kept.getType(), kept.getName()), kept.isFirst());
        }
        if (written.getLate() != null) {
            var late = written.getLate();
            return new AdvertiseReceipt.Late(
                    new AdKey(late.getType(), late.getName()), late.getNewest(), late.getOffered());
        }
        return new AdvertiseReceipt.Refused(String.valueOf(written.getRefused()));
    }

    /** An ad as far as the other side tells: when it came and when it expires are not known here. */
    private static Advertisement advertisement(ClassAd ad) {
        return new Advertisement(AdKey.of(ad), ad, ClassAd.EMPTY, OptionalLong.empty(), Instant.MIN, Instant.MAX);
    }

    private ClassAd parsed(String text) {
        try {
            return ClassAd.parse(text);
        } catch (ClassAdSyntaxException e) {
            throw failure("The collector at " + endpoint + " answered with what is not an ad: " + e.getMessage(), e);
        }
    }

    /** A message to the port. */
    interface Message<T> {
        T sendTo(org.metasched.wsag.collector.Collector port) throws RejectedFault;
    }

    <T> T call(Message<T> message) {
        try {
            return message.sendTo(port);
        } catch (RejectedFault e) {
            throw new IllegalArgumentException(String.valueOf(e.getMessage()), e);
        } catch (WebServiceException e) {
            throw failure("No answer from the collector at " + endpoint + ": " + NoAnswer.reason(e) + ".", e);
        }
    }

    private static UncheckedIOException failure(String message, Exception cause) {
        return new UncheckedIOException(message, new IOException(cause));
    }
}
