using System.Security.Authentication;
using PerfCommon;
using PerfCommon.Transport.Tls;

namespace PerfTools.Hosting.Options;

/// <summary>The TLS options of a connection, its files not loaded yet. Immutable; vary it with <c>with</c>.</summary>
internal sealed record TlsOptions
{
    /// <summary>Environment variable with the key's password, used when the command line has none.</summary>
    public const string KeyPasswordVariable = "PERFTOOLS_KEY_PASSWORD";

    /// <summary>The named versions; none means all that are supported. <c>-spTLSv1.2</c>, <c>-spTLSv1.3</c></summary>
    public SslProtocols NamedVersions { get; init; }

    /// <summary>PEM file with additional trusted CA certificates; null for none. <c>-castore</c></summary>
    public string? AuthorityFile { get; init; }

    /// <summary>Accepts any certificate. <c>-insecureSkipCertCheck</c></summary>
    public bool SkipCertificateCheck { get; init; }

    /// <summary>PEM file with the own certificate; null for none. <c>-cert</c></summary>
    public string? CertificateFile { get; init; }

    /// <summary>PEM file with the own private key; null for none. <c>-keyfile</c></summary>
    public string? KeyFile { get; init; }

    /// <summary>Password of the private key. <c>-keypasswd</c></summary>
    public Secret KeyPassword { get; init; } = new(null, KeyPasswordVariable);

    /// <summary>PEM file with the CA certificates for clients' certificates; null requires none. <c>-clientca</c></summary>
    public string? ClientAuthorityFile { get; init; }

    /// <summary>Cipher suites as typed; null for the system's default. <c>-cipher</c></summary>
    public string? CipherSuites { get; init; }

    public SslProtocols Versions => NamedVersions == SslProtocols.None ? TlsVersions.Default : NamedVersions;

    /// <summary>Loads the CA certificates that a client trusts, and its own certificate.</summary>
    /// <exception cref="SetupException">A file cannot be used.</exception>
    public TlsClientSettings LoadForClient() => TlsClientSettings.Load(
        AuthorityFile, SkipCertificateCheck, Versions, CertificateFile, KeyFile,
        CertificateFile is null ? null : KeyPassword.Reveal(), CipherSuites);

    /// <summary>Loads certificate and key of a server; checked options name both.</summary>
    /// <exception cref="SetupException">A file cannot be used.</exception>
    public TlsServerSettings LoadForServer() =>
        TlsServerSettings.Load(CertificateFile!, KeyFile!, KeyPassword.Reveal(), CipherSuites, Versions, ClientAuthorityFile);

    /// <summary>Finds the first contradiction, as a sentence that names the flags; null when there is none.</summary>
    public string? FindProblem(bool isUsed, bool isServer) => this switch
    {
        _ when !isUsed && NamedVersions.HasFlag(SslProtocols.Tls12) => "-spTLSv1.2 needs -connType encrypted",
        _ when !isUsed && NamedVersions.HasFlag(SslProtocols.Tls13) => "-spTLSv1.3 needs -connType encrypted",
        { CertificateFile: null } or { KeyFile: null } when isUsed && isServer => "-connType encrypted needs -cert and -keyfile",
        { ClientAuthorityFile: not null } when !isServer => "-clientca is for a server",
        { CipherSuites: { } names } when TlsCiphers.FindProblem(names, Versions) is { } problem => $"-cipher: {problem}",
        { CertificateFile: not null, KeyFile: null } => "-cert needs -keyfile",
        { CertificateFile: null, KeyFile: not null } => "-keyfile needs -cert",
        _ => null,
    };
}
