using System.Net.Security;
using System.Security.Authentication;
using System.Security.Cryptography.X509Certificates;

namespace PerfCommon.Transport.Tls;

/// <summary>Certificate, key, versions and ciphers of an encrypted server. Loaded once, used by all connections.</summary>
public sealed class TlsServerSettings
{
    private readonly SslStreamCertificateContext _own;
    private readonly CipherSuitesPolicy? _ciphers;
    private readonly X509ChainPolicy? _clientTrust;

    private TlsServerSettings(
        SslProtocols versions, SslStreamCertificateContext own, CipherSuitesPolicy? ciphers, X509ChainPolicy? clientTrust) =>
        (Versions, _own, _ciphers, _clientTrust) = (versions, own, ciphers, clientTrust);

    /// <summary>Versions accepted; TLS 1.2 and 1.3 by default.</summary>
    internal SslProtocols Versions { get; }

    /// <summary>Reads certificate and key.</summary>
    /// <param name="certificatePath">PEM file: the server's certificate, then its intermediate certificates, if any.</param>
    /// <param name="keyPath">PEM file of the private key.</param>
    /// <param name="keyPassword">Password of the key; null when it is not encrypted.</param>
    /// <param name="cipherSuites">Names as registered for TLS, separated by commas; null for the system's choice.</param>
    /// <param name="versions">Versions to accept; nothing below TLS 1.2.</param>
    /// <param name="clientAuthorityPath">PEM file of the authorities that must have issued clients' certificates; null requests none from
    /// clients.</param>
    /// <exception cref="SetupException">A file cannot be used, the password or the key does not match, a cipher suite is unknown.</exception>
    public static TlsServerSettings Load(
        string certificatePath, string keyPath, string? keyPassword = null, string? cipherSuites = null,
        SslProtocols versions = TlsVersions.Default, string? clientAuthorityPath = null)
    {
        ArgumentNullException.ThrowIfNull(certificatePath);
        ArgumentNullException.ThrowIfNull(keyPath);
        TlsVersions.ThrowIfRefused(versions);
        return new TlsServerSettings(
            TlsCiphers.Narrow(versions, cipherSuites), CertificateFiles.ReadOwn(certificatePath, keyPath, keyPassword),
            TlsCiphers.CreatePolicy(cipherSuites, versions),
            clientAuthorityPath is null ? null : CertificateFiles.ReadTrust(clientAuthorityPath, trustsSystem: false));
    }

    /// <summary>Creates the SslStream options for serving one client.</summary>
    internal SslServerAuthenticationOptions CreateOptions(TlsCertificateCheck check) => new()
    {
        ServerCertificateContext = _own,
        EnabledSslProtocols = Versions,
        AllowRenegotiation = false,
        CertificateRevocationCheckMode = X509RevocationMode.NoCheck, // wire/transport 8.1
        CipherSuitesPolicy = _ciphers,
        ClientCertificateRequired = _clientTrust is not null, // wire/transport 8.1
        CertificateChainPolicy = _clientTrust?.Clone(),
        RemoteCertificateValidationCallback = _clientTrust is null ? null : check.Accept,
    };
}
