package org.metasched.submit;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.Date;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Credentials of the job: a grid proxy, a token, services that issue tokens. Files are looked at and never copied. */
final class CredentialAttributes extends AttributeGroup {

    private static final String CERTIFICATE = "-----BEGIN CERTIFICATE-----";
    private static final int PROXY_LIMIT = 1 << 20;
    private static final Pattern OAUTH =
            Pattern.compile("([^.]+)_oauth_(?:permissions|resource|options)(?:_(.+))?", Pattern.CASE_INSENSITIVE);

    CredentialAttributes(AdMaker maker) {
        super(maker);
    }

    void apply() throws SubmitException {
        proxy();
        Optional<Long> lifetime =
                settings.integer("delegate_job_gsi_credentials_lifetime", "DelegateJobGSICredentialsLifetime");
        lifetime.ifPresent(seconds -> ad.put("DelegateJobGSICredentialsLifetime", seconds));
        token();
        Optional<String> services = settings.get("use_oauth_services", "UseOAuthServices");
        if (services.isPresent()) {
            String needed = String.join(",", services(services.get()));
            ad.putString("OAuthServicesNeeded", needed);
            if (maker.context.checkFiles()) {
                maker.noteMissing("The tokens of use_oauth_services (" + needed
                        + ") must be asked of a credential service, and there is none.");
            }
        }
    }

    /** The names of the needed tokens: those of the services; with handles, as in {@code box_oauth_permissions_work}, {@code box*work}. */
    private Set<String> services(String names) {
        Set<String> enabled = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
        enabled.addAll(List.of(names.strip().split("[\\s,]+")));
        Set<String> needed = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
        Set<String> handled = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
        for (String command : settings.names()) {
            Matcher parts = OAUTH.matcher(command);
            if (parts.matches() && enabled.contains(parts.group(1)) && parts.group(2) != null) {
                handled.add(parts.group(1));
                needed.add(parts.group(1) + "*" + parts.group(2));
            }
        }
        enabled.removeAll(handled);
        needed.addAll(enabled);
        return needed;
    }

    private void proxy() throws SubmitException {
        Optional<String> file = settings.get("x509userproxy");
        if (file.isEmpty() && settings.truth(false, "use_x509userproxy")) {
            file = Optional.ofNullable(maker.context.environment().get("X509_USER_PROXY"));
            if (file.isEmpty() && maker.context.checkFiles()) {
                maker.noteMissing("Can't determine proxy filename\nX509 user proxy is required for this job.");
            }
        }
        if (file.isPresent()) {
            String path = maker.inJobDirectory(file.get());
            ad.putString("x509userproxy", path);
            if (maker.context.checkFiles()) {
                problem(path).ifPresent(maker::noteMissing);
            }
        }
    }

    /** The reason for which a file is no usable proxy; empty if it is one. */
    private Optional<String> problem(String path) {
        try {
            Path file = Path.of(path);
            if (!Files.isRegularFile(file) || Files.size(file) > PROXY_LIMIT) {
                return Optional.of("The x509 user proxy (" + path + ") must be a file of at most 1 MiB.");
            }
            String text = Files.readString(file, StandardCharsets.ISO_8859_1);
            int begin = text.indexOf(CERTIFICATE);
            if (begin < 0) {
                return Optional.of("The x509 user proxy (" + path + ") has no certificate in it.");
            }
            byte[] bytes = text.substring(begin).getBytes(StandardCharsets.ISO_8859_1);
            Certificate certificate =
                    CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(bytes));
            boolean expired = certificate instanceof X509Certificate x509
                    && x509.getNotAfter().before(Date.from(maker.context.clock().instant()));
            return expired ? Optional.of("proxy has expired") : Optional.empty();
        } catch (CertificateException | InvalidPathException e) {
            return Optional.of("The x509 user proxy (" + path + ") cannot be used: " + e.getMessage());
        } catch (IOException e) {
            return Optional.of("The x509 user proxy (" + path + ") cannot be read: " + e.getMessage());
        }
    }

    private void token() throws SubmitException {
        Optional<String> token = settings.get("scitokens_file", "ScitokensFile");
        Optional<String> inherited = Optional.ofNullable(
                        maker.context.environment().get("BEARER_TOKEN_FILE"))
                .filter(name -> !name.isEmpty());
        String use = settings.get("use_scitokens", "use_scitoken").orElse(token.isPresent() ? "true" : "false");
        Optional<String> file = token.or(() -> inherited);
        boolean wanted = use.equalsIgnoreCase("auto")
                ? file.isPresent()
                : SubmitNumbers.truth(use)
                        .orElseThrow(() -> settings.error(
                                "use_scitokens", "use_scitokens error. Value should be true, false, or auto."));
        if (wanted && file.isPresent()) {
            ad.putString("ScitokensFile", maker.inJobDirectory(file.get()));
        } else if (wanted) {
            throw settings.error(
                    "use_scitokens",
                    "No Scitokens filename specified. Expected either scitokens_file command or the"
                            + " BEARER_TOKEN_FILE environment variable to be set.");
        }
    }
}
