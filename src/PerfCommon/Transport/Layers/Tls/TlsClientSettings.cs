using System.Net.Security;
using System.Security.Authentication;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;

namespace PerfCommon.Transport.Tls;

/// <summary>How a client encrypts and whom it trusts. Loaded once, used by all connections.</summary>
public sealed class TlsClientSettings
{
    private readonly X509ChainPolicy? _trust;

    private TlsClientSettings(X509ChainPolicy? trust, bool skipCertificateCheck, SslProtocols versions) =>
        (_trust, SkipsCertificateCheck, Versions) = (trust, skipCertificateCheck, versions);

    /// <summary>True when any certificate is taken.</summary>
    public bool SkipsCertificateCheck { get; }

    /// <summary>Versions offered; TLS 1.2 and 1.3 by default.</summary>
    public SslProtocols Versions { get; }

    /// <summary>Reads the extra certificate authorities.</summary>
    /// <param name="caStorePath">PEM file whose certificates are trusted beside the system's; null for the system's alone.</param>
    /// <param name="skipCertificateCheck">True takes any certificate: chain, name and dates are not looked at.</param>
    /// <param name="versions">Versions to offer; nothing below TLS 1.2.</param>
    /// <exception cref="SetupException">The file cannot be read or holds no certificate.</exception>
    public static TlsClientSettings Load(
        string? caStorePath = null, bool skipCertificateCheck = false, SslProtocols versions = TlsVersions.Default)
    {
        TlsVersions.ThrowIfRefused(versions);
        return new TlsClientSettings(caStorePath is null ? null : ReadTrust(caStorePath), skipCertificateCheck, versions);
    }

    /// <summary>What SslStream needs to connect to this host; the host name is sent and checked.</summary>
    internal SslClientAuthenticationOptions CreateOptions(string host, RemoteCertificateValidationCallback check) => new()
    {
        TargetHost = host,
        EnabledSslProtocols = Versions,
        AllowRenegotiation = false,
        CertificateRevocationCheckMode = X509RevocationMode.NoCheck,
        CertificateChainPolicy = _trust?.Clone(),
        RemoteCertificateValidationCallback = check,
    };

    private static X509ChainPolicy ReadTrust(string path)
    {
        X509ChainPolicy policy = new() { TrustMode = X509ChainTrustMode.CustomRootTrust, RevocationMode = X509RevocationMode.NoCheck };
        try
        {
            policy.CustomTrustStore.ImportFromPemFile(path);
        }
        catch (Exception problem) when (problem is IOException or UnauthorizedAccessException or CryptographicException)
        {
            throw new SetupException(SetupProblem.InputFile, $"{path}: {problem.Message}", problem);
        }
        if (policy.CustomTrustStore.Count == 0)
            throw new SetupException(SetupProblem.InputFile, $"{path}: no PEM certificate found");
        using X509Store system = new(StoreName.Root, StoreLocation.LocalMachine, OpenFlags.ReadOnly);
        policy.CustomTrustStore.AddRange(system.Certificates);
        return policy;
    }
}

/// <summary>Judges the certificate of one server and keeps, as a sentence, what is wrong with it.</summary>
internal sealed class TlsCertificateCheck(bool skip, string host)
{
    /// <summary>What was wrong; null when nothing was, or no certificate has come yet.</summary>
    public string? Problem { get; private set; }

    public bool Accept(object sender, X509Certificate? certificate, X509Chain? chain, SslPolicyErrors errors)
    {
        if (skip || errors == SslPolicyErrors.None)
            return true;
        Problem = errors switch
        {
            _ when errors.HasFlag(SslPolicyErrors.RemoteCertificateNotAvailable) => "the server has shown no certificate",
            _ when errors.HasFlag(SslPolicyErrors.RemoteCertificateChainErrors) => $"the server's certificate is not trusted ({Reasons(chain)})",
            _ => $"the server's certificate is not for {host}",
        };
        return false;
    }

    private static string Reasons(X509Chain? chain) =>
        chain is null ? "no chain" : string.Join(", ", chain.ChainStatus.Select(s => s.Status).Distinct());
}
