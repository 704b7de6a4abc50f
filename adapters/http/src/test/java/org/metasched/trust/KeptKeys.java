package org.metasched.trust;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.InvalidAlgorithmParameterException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyPairGeneratorSpi;
import java.security.Provider;
import java.security.SecureRandom;
import java.security.Security;
import java.security.interfaces.RSAPrivateCrtKey;
import java.security.spec.AlgorithmParameterSpec;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.RSAPublicKeySpec;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.LauncherSessionListener;
import org.metasched.durable.AtomicFile;

/**
 * A security provider that hands tests RSA keys of a former test of the checkout, from {@code target/keys}: a new one takes a second of
 * processor time without the second compiler. Keys that follow one another differ; after {@value #KEPT} the first comes again. Every JVM of
 * tests that has this class has it as its first provider.
 */
public final class KeptKeys extends Provider implements LauncherSessionListener {

    private static final long serialVersionUID = 1;
    private static final int BITS = 2048;
    private static final int KEPT = 8;
    private static final AtomicInteger TURN = new AtomicInteger();

    public KeptKeys() {
        super("KeptKeys", "1", "RSA keys of former tests");
        putService(new Service(this, "KeyPairGenerator", "RSA", Generator.class.getName(), null, null) {
            @Override
            public Object newInstance(Object parameter) {
                return new Generator();
            }
        });
    }

    @Override
    public void launcherSessionOpened(LauncherSession session) {
        Security.insertProviderAt(this, 1);
    }

    private static final class Generator extends KeyPairGeneratorSpi {

        private final KeyPairGenerator real;
        private boolean isUsual = true;

        Generator() {
            try {
                real = KeyPairGenerator.getInstance("RSA", "SunRsaSign");
                real.initialize(BITS);
            } catch (GeneralSecurityException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public void initialize(int bits, SecureRandom random) {
            real.initialize(bits, random);
            isUsual = bits == BITS;
        }

        @Override
        public void initialize(AlgorithmParameterSpec parameters, SecureRandom random)
                throws InvalidAlgorithmParameterException {
            real.initialize(parameters, random);
            isUsual = false;
        }

        @Override
        public KeyPair generateKeyPair() {
            return isUsual ? kept(TURN.getAndIncrement() % KEPT) : real.generateKeyPair();
        }

        private KeyPair kept(int number) {
            Path folder = Path.of(System.getProperty("metasched.root", System.getProperty("java.io.tmpdir")), "target");
            Path file = folder.resolve("keys").resolve(number + ".der");
            try {
                return read(file);
            } catch (NoSuchFileException e) {
                return made(file);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        private static KeyPair read(Path file) throws IOException {
            var encoded = new PKCS8EncodedKeySpec(Files.readAllBytes(file));
            try {
                var factory = KeyFactory.getInstance("RSA");
                var key = (RSAPrivateCrtKey) factory.generatePrivate(encoded);
                var open = new RSAPublicKeySpec(key.getModulus(), key.getPublicExponent());
                return new KeyPair(factory.generatePublic(open), key);
            } catch (GeneralSecurityException e) {
                throw new IllegalStateException(file + " holds no key: " + e.getMessage(), e);
            }
        }

        private KeyPair made(Path file) {
            var pair = real.generateKeyPair();
            try {
                Files.createDirectories(file.getParent());
                AtomicFile.replace(file, pair.getPrivate().getEncoded(), PosixFilePermissions.fromString("rw-------"));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            return pair;
        }
    }
}
