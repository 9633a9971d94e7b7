using System.Net.Security;
using System.Security.Authentication;
using System.Security.Cryptography.X509Certificates;

namespace PerfCommon.Transport.Tls;

/// <summary>Encryption and trust settings of a client. Loaded once, used by all connections.</summary>
public sealed class TlsClientSettings
{
    private readonly X509ChainPolicy? _trust;
    private readonly SslStreamCertificateContext? _own;
    private readonly CipherSuitesPolicy? _ciphers;

    private TlsClientSettings(
        X509ChainPolicy? trust, bool skipCertificateCheck, SslProtocols versions, SslStreamCertificateContext? own,
        CipherSuitesPolicy? ciphers) =>
        (_trust, SkipsCertificateCheck, Versions, _own, _ciphers) = (trust, skipCertificateCheck, versions, own, ciphers);

    /// <summary>True when any certificate is accepted.</summary>
    internal bool SkipsCertificateCheck { get; }

    /// <summary>True when there is a certificate to present to a server that requests one.</summary>
    internal bool HasOwn => _own is not null;

    /// <summary>Versions offered; TLS 1.2 and 1.3 by default.</summary>
    internal SslProtocols Versions { get; }

    /// <summary>Reads the additional certificate authorities, and the client's certificate.</summary>
    /// <param name="caStorePath">PEM file whose certificates are trusted in addition to the system's; null for the system's alone.</param>
    /// <param name="skipCertificateCheck">True accepts any certificate: chain, name and dates are not checked.</param>
    /// <param name="versions">Versions to offer; nothing below TLS 1.2.</param>
    /// <param name="certificatePath">PEM file: the certificate for a server that requests one, then its intermediate certificates;
    /// null for none.</param>
    /// <param name="keyPath">PEM file of its private key; required with the certificate.</param>
    /// <param name="keyPassword">Password of the key; null when it is not encrypted.</param>
    /// <param name="cipherSuites">Names as registered for TLS, separated by commas; null for the system's choice.</param>
    /// <exception cref="SetupException">A file cannot be used, the password or the key does not match, a cipher suite is unknown.</exception>
    public static TlsClientSettings Load(
        string? caStorePath = null, bool skipCertificateCheck = false, SslProtocols versions = TlsVersions.Default,
        string? certificatePath = null, string? keyPath = null, string? keyPassword = null, string? cipherSuites = null)
    {
        TlsVersions.ThrowIfRefused(versions);
        if (certificatePath is not null)
            ArgumentNullException.ThrowIfNull(keyPath);
        return new TlsClientSettings(
            caStorePath is null ? null : CertificateFiles.ReadTrust(caStorePath, trustsSystem: true), skipCertificateCheck,
            TlsCiphers.Narrow(versions, cipherSuites),
            certificatePath is null ? null : CertificateFiles.ReadOwn(certificatePath, keyPath!, keyPassword),
            TlsCiphers.CreatePolicy(cipherSuites, versions));
    }

    /// <summary>Creates the SslStream options for connecting to this host; the host name is sent and checked.</summary>
    internal SslClientAuthenticationOptions CreateOptions(string host, TlsCertificateCheck check) => new()
    {
        TargetHost = host, // wire/transport 8.1
        EnabledSslProtocols = Versions,
        AllowRenegotiation = false,
        CertificateRevocationCheckMode = X509RevocationMode.NoCheck, // wire/transport 8.1
        CertificateChainPolicy = _trust?.Clone(),
        ClientCertificateContext = _own,
        LocalCertificateSelectionCallback = _own is null ? check.ShowNone : null,
        CipherSuitesPolicy = _ciphers,
        RemoteCertificateValidationCallback = check.Accept,
    };
}
