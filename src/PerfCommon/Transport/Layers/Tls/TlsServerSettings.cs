using System.Net.Security;
using System.Security.Authentication;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;

namespace PerfCommon.Transport.Tls;

/// <summary>Certificate, key, versions and ciphers of an encrypted server. Loaded once, used by all connections.</summary>
public sealed class TlsServerSettings
{
    private TlsServerSettings(SslServerAuthenticationOptions options) => Options = options;

    internal SslServerAuthenticationOptions Options { get; }

    /// <summary>Reads certificate and key.</summary>
    /// <param name="certificatePath">PEM file: the server's certificate, then the ones between it and the authority, if any.</param>
    /// <param name="keyPath">PEM file of the private key.</param>
    /// <param name="keyPassword">Password of the key; null when it is not encrypted.</param>
    /// <param name="cipherSuites">Names as TLS registers them, separated by commas or colons; null for the system's choice.</param>
    /// <param name="versions">Versions to accept; nothing below TLS 1.2.</param>
    /// <exception cref="SetupException">A file cannot be used, the password or the key does not fit, a cipher is unknown.</exception>
    public static TlsServerSettings Load(
        string certificatePath, string keyPath, string? keyPassword = null, string? cipherSuites = null, SslProtocols versions = TlsVersions.Default)
    {
        ArgumentNullException.ThrowIfNull(certificatePath);
        ArgumentNullException.ThrowIfNull(keyPath);
        TlsVersions.ThrowIfRefused(versions);
        SslServerAuthenticationOptions options = new()
        {
            ServerCertificateContext = ReadCertificate(certificatePath, keyPath, keyPassword),
            EnabledSslProtocols = versions,
            ClientCertificateRequired = false,
            AllowRenegotiation = false,
            CertificateRevocationCheckMode = X509RevocationMode.NoCheck,
        };
        if (!string.IsNullOrWhiteSpace(cipherSuites))
            options.CipherSuitesPolicy = CreatePolicy(cipherSuites);
        return new TlsServerSettings(options);
    }

    private static SslStreamCertificateContext ReadCertificate(string certificatePath, string keyPath, string? keyPassword)
    {
        try
        {
            X509Certificate2 certificate = keyPassword is null
                ? X509Certificate2.CreateFromPemFile(certificatePath, keyPath)
                : X509Certificate2.CreateFromEncryptedPemFile(certificatePath, keyPassword, keyPath);
            X509Certificate2Collection chain = [];
            chain.ImportFromPemFile(certificatePath);
            return SslStreamCertificateContext.Create(certificate, chain, offline: true);
        }
        catch (CryptographicException problem)
        {
            string password = keyPassword is null ? "no password given" : "with the password given";
            throw new SetupException(SetupProblem.InputFile, $"{certificatePath}, {keyPath}: not a certificate and its key ({password})", problem);
        }
        catch (Exception problem) when (problem is IOException or UnauthorizedAccessException)
        {
            throw new SetupException(SetupProblem.InputFile, problem.Message, problem);
        }
    }

    private static CipherSuitesPolicy CreatePolicy(string names)
    {
        if (OperatingSystem.IsWindows())
            throw new SetupException(SetupProblem.CommandLine, "-cipher: this system does not let a program choose");
        List<TlsCipherSuite> suites = [];
        foreach (string name in names.Split([',', ':'], StringSplitOptions.TrimEntries | StringSplitOptions.RemoveEmptyEntries))
        {
            if (!Enum.TryParse(name, ignoreCase: true, out TlsCipherSuite suite) || char.IsAsciiDigit(name[0]))
                throw new SetupException(SetupProblem.CommandLine, $"-cipher: '{name}' is not a cipher suite");
            suites.Add(suite);
        }
        return new CipherSuitesPolicy(suites);
    }
}
