package org.metasched.adapter.soap;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Base64;
import java.util.Optional;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.apache.cxf.binding.soap.Soap12;
import org.apache.cxf.binding.soap.SoapMessage;
import org.apache.cxf.bus.managers.PhaseManagerImpl;
import org.apache.cxf.interceptor.StaxInInterceptor;
import org.apache.cxf.message.ExchangeImpl;
import org.apache.cxf.message.Message;
import org.apache.cxf.phase.PhaseInterceptorChain;
import org.metasched.trust.ChainVerifier;
import org.metasched.trust.DemoAuthority;
import org.metasched.trust.KeyMaterial;
import org.metasched.trust.MessageVerifier;
import org.metasched.trust.PasswordFile;
import org.metasched.trust.ReplayCache;
import org.metasched.trust.UntrustedException;

/** All that a server does with a message until it is known who sent it. Signatures and passwords are taken. Not thread-safe. */
final class StrangersMessage implements AutoCloseable {

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private final ChainVerifier signers;
    private final MessageVerifier verifier;
    /** A certificate that is believed, as anybody may have seen it: in base64. */
    final String certificate;

    /** @param folder that is empty */
    StrangersMessage(Path folder) throws IOException {
        var authority = new DemoAuthority(folder.resolve("ca"), Clock.systemUTC());
        signers = new ChainVerifier(authority.directory());
        Path passwords =
                Files.writeString(folder.resolve("passwords"), PasswordFile.line("carol", "secret", 100_000) + "\n");
        verifier = new MessageVerifier(
                Optional.of(signers),
                Optional.of(new PasswordFile(passwords)),
                ReplayCache.inThisProcess(Clock.systemUTC()),
                Clock.systemUTC());
        try {
            certificate = Base64.getEncoder()
                    .encodeToString(KeyMaterial.of(authority.member("alice"))
                            .get()
                            .chain()[0]
                            .getEncoded());
        } catch (java.security.cert.CertificateEncodingException e) {
            throw new IOException(e);
        }
    }

    /** Of processor time of this thread until it is known who sent it, or it is refused. */
    double milliseconds(byte[] text) {
        long begin = THREADS.getCurrentThreadCpuTime();
        try {
            read(text);
        } catch (XMLStreamException | UntrustedException | RuntimeException e) {
            // Refused: what counts is what it cost.
        }
        return (THREADS.getCurrentThreadCpuTime() - begin) / 1e6;
    }

    void read(byte[] text) throws XMLStreamException, UntrustedException {
        read(new ByteArrayInputStream(text));
    }

    void read(InputStream text) throws XMLStreamException, UntrustedException {
        var message = new SoapMessage(Soap12.getInstance());
        var exchange = new ExchangeImpl();
        message.setExchange(exchange);
        exchange.setInMessage(message);
        message.setContent(InputStream.class, text);
        message.put(Message.CONTENT_TYPE, "application/soap+xml");
        message.putAll(MessageLimits.PROPERTIES);
        message.setInterceptorChain(new PhaseInterceptorChain(new PhaseManagerImpl().getInPhases()));
        new MessageEncoding().handleMessage(message);
        new StaxInInterceptor().handleMessage(message);
        new BoundedNames().handleMessage(message);
        var reader = message.getContent(XMLStreamReader.class);
        var verification = verifier.begin(true, "192.0.2.1");
        var document = MessageTree.read(reader, head -> {
            try {
                UntrustedException.throwIf(!verification.checkHead(head), "it proves nothing");
            } catch (UntrustedException e) {
                throw new IllegalArgumentException(e);
            }
        });
        verification.subject(document, to -> true);
    }

    @Override
    public void close() {
        signers.close();
    }
}
