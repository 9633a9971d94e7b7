using System.Net;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;

namespace PerfCommon.Transport.Tls;

/// <summary>A certificate authority made for a trial, and server certificates signed by it. Nobody else trusts them.</summary>
/// <remarks>A client takes them with the authority's PEM file as its <c>-castore</c>.</remarks>
internal sealed class TrialCertificates : IDisposable
{
    private const string ServerAuthentication = "1.3.6.1.5.5.7.3.1";
    private const int SerialBytes = 12;

    private readonly ECDsa _authorityKey = ECDsa.Create(ECCurve.NamedCurves.nistP256);
    private readonly X509Certificate2 _authority;

    /// <summary>Makes the authority.</summary>
    /// <param name="validFrom">First moment it is valid.</param>
    /// <param name="validFor">How long it is valid.</param>
    public TrialCertificates(DateTimeOffset validFrom, TimeSpan validFor)
    {
        (ValidFrom, ValidUntil) = (validFrom, validFrom + validFor);
        CertificateRequest request = new("CN=PerfTools trial authority", _authorityKey, HashAlgorithmName.SHA256);
        request.CertificateExtensions.Add(new X509BasicConstraintsExtension(true, false, 0, true));
        request.CertificateExtensions.Add(new X509KeyUsageExtension(X509KeyUsageFlags.KeyCertSign, true));
        request.CertificateExtensions.Add(new X509SubjectKeyIdentifierExtension(request.PublicKey, false));
        _authority = request.CreateSelfSigned(ValidFrom, ValidUntil);
    }

    /// <summary>First moment that everything made here is valid.</summary>
    public DateTimeOffset ValidFrom { get; }

    /// <summary>Last moment that everything made here is valid.</summary>
    public DateTimeOffset ValidUntil { get; }

    /// <summary>The authority's certificate, for a client's <c>-castore</c>.</summary>
    public string AuthorityPem => _authority.ExportCertificatePem();

    /// <summary>Makes a server certificate.</summary>
    /// <param name="names">Host names and addresses it is for, one at least.</param>
    /// <param name="keyPassword">Password that protects the key; null leaves it open.</param>
    /// <returns>Certificate and private key as PEM text.</returns>
    public (string CertificatePem, string KeyPem) CreateServer(IReadOnlyList<string> names, string? keyPassword = null) =>
        CreateServer(names, ValidFrom, ValidUntil, keyPassword);

    /// <summary>Makes a server certificate that is valid in a time of its own; one that has passed, say.</summary>
    /// <param name="names">Host names and addresses it is for, one at least.</param>
    /// <param name="validFrom">First moment it is valid; not before the authority.</param>
    /// <param name="validUntil">Last moment it is valid; not behind the authority.</param>
    /// <param name="keyPassword">Password that protects the key; null leaves it open.</param>
    public (string CertificatePem, string KeyPem) CreateServer(
        IReadOnlyList<string> names, DateTimeOffset validFrom, DateTimeOffset validUntil, string? keyPassword = null)
    {
        using ECDsa key = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        CertificateRequest request = CreateRequest(names, key);
        request.CertificateExtensions.Add(X509AuthorityKeyIdentifierExtension.CreateFromCertificate(_authority, true, false));
        using X509Certificate2 certificate = request.Create(
            _authority.SubjectName, X509SignatureGenerator.CreateForECDsa(_authorityKey), validFrom, validUntil,
            RandomNumberGenerator.GetBytes(SerialBytes));
        return (certificate.ExportCertificatePem(), ExportKey(key, keyPassword));
    }

    /// <summary>Makes a server certificate that is its own authority.</summary>
    /// <param name="names">Host names and addresses it is for, one at least.</param>
    /// <param name="keyPassword">Password that protects the key; null leaves it open.</param>
    /// <returns>Certificate and private key as PEM text.</returns>
    public (string CertificatePem, string KeyPem) CreateSelfSigned(IReadOnlyList<string> names, string? keyPassword = null)
    {
        using ECDsa key = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        using X509Certificate2 certificate = CreateRequest(names, key).CreateSelfSigned(ValidFrom, ValidUntil);
        return (certificate.ExportCertificatePem(), ExportKey(key, keyPassword));
    }

    /// <summary>Writes <c>ca.pem</c>, <c>server.pem</c> and <c>server.key</c> (readable by its owner alone) into a folder, made if it is not there.</summary>
    /// <exception cref="IOException">A file cannot be written.</exception>
    /// <param name="folder">Where the files go; those of the same names are overwritten.</param>
    /// <param name="names">Host names and addresses it is for, one at least.</param>
    /// <param name="keyPassword">Password that protects the key; null leaves it open.</param>
    /// <returns>The three paths.</returns>
    public (string AuthorityPath, string CertificatePath, string KeyPath) WriteFiles(
        string folder, IReadOnlyList<string> names, string? keyPassword = null)
    {
        (string certificatePem, string keyPem) = CreateServer(names, keyPassword);
        Directory.CreateDirectory(folder);
        (string, string, string Key) paths = (Path.Combine(folder, "ca.pem"), Path.Combine(folder, "server.pem"), Path.Combine(folder, "server.key"));
        File.WriteAllText(paths.Item1, AuthorityPem + "\n");
        File.WriteAllText(paths.Item2, certificatePem + "\n");
        WriteSecret(paths.Key, keyPem + "\n");
        return paths;
    }

    /// <summary>Forgets the authority's key.</summary>
    public void Dispose()
    {
        _authority.Dispose();
        _authorityKey.Dispose();
    }

    private static CertificateRequest CreateRequest(IReadOnlyList<string> names, ECDsa key)
    {
        CertificateRequest request = new(new X500DistinguishedName($"CN=\"{names[0].Replace("\"", "", StringComparison.Ordinal)}\""), key, HashAlgorithmName.SHA256);
        SubjectAlternativeNameBuilder subjects = new();
        foreach (string name in names)
        {
            if (IPAddress.TryParse(name, out IPAddress? address))
                subjects.AddIpAddress(address);
            else
                subjects.AddDnsName(name);
        }
        request.CertificateExtensions.Add(subjects.Build());
        request.CertificateExtensions.Add(new X509BasicConstraintsExtension(false, false, 0, true));
        request.CertificateExtensions.Add(new X509KeyUsageExtension(X509KeyUsageFlags.DigitalSignature, true));
        request.CertificateExtensions.Add(new X509EnhancedKeyUsageExtension([new Oid(ServerAuthentication)], false));
        return request;
    }

    private static string ExportKey(ECDsa key, string? password) => password is null
        ? key.ExportPkcs8PrivateKeyPem()
        : key.ExportEncryptedPkcs8PrivateKeyPem(password, new PbeParameters(PbeEncryptionAlgorithm.Aes256Cbc, HashAlgorithmName.SHA256, 100_000));

    private static void WriteSecret(string path, string text)
    {
        FileStreamOptions options = new() { Mode = FileMode.Create, Access = FileAccess.Write };
        if (!OperatingSystem.IsWindows())
            options.UnixCreateMode = UnixFileMode.UserRead | UnixFileMode.UserWrite;
        using StreamWriter writer = new(path, options);
        writer.Write(text);
    }
}
