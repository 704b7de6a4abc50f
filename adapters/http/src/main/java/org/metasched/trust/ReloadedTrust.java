package org.metasched.trust;

import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.function.Supplier;
import javax.net.ssl.X509TrustManager;

/**
 * Trusts the certificates that the newest authorities have issued. As it is no extended manager, the Java installation checks the name of
 * the other side itself.
 */
record ReloadedTrust(Supplier<X509TrustManager> now) implements X509TrustManager {

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType) throws CertificateException {
        now.get().checkClientTrusted(chain, authType);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType) throws CertificateException {
        now.get().checkServerTrusted(chain, authType);
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return now.get().getAcceptedIssuers();
    }
}
