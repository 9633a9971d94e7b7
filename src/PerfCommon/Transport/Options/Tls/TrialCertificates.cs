using System.Net;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;

namespace PerfCommon.Transport.Tls;

/// <summary>
/// Creates a certificate authority for a trial, and certificates of servers and clients signed by it. They are trusted nowhere else.
/// </summary>
/// <remarks>The authority's PEM file is the <c>-castore</c> of a client and the <c>-clientca</c> of a server.</remarks>
internal sealed class TrialCertificates : IDisposable
{
    private const string ServerAuthentication = "1.3.6.1.5.5.7.3.1";
    private const string ClientAuthentication = "1.3.6.1.5.5.7.3.2";
    private const int SerialBytes = 12;

    private readonly TrialKeyKind _keyKind;
    private readonly TrialKey _authorityKey;
    private readonly X509Certificate2 _authority;
    private readonly DateTimeOffset _validFrom;
    private readonly DateTimeOffset _validUntil;

    /// <summary>Creates the authority; its certificates are valid for the same time.</summary>
    /// <param name="validFrom">First moment of validity.</param>
    /// <param name="validFor">Length of validity from then.</param>
    /// <param name="keyKind">Algorithm of the authority's key and of all others.</param>
    public TrialCertificates(DateTimeOffset validFrom, TimeSpan validFor, TrialKeyKind keyKind = TrialKeyKind.Rsa)
    {
        (_validFrom, _validUntil, _keyKind) = (validFrom, validFrom + validFor, keyKind);
        _authorityKey = new TrialKey(keyKind);
        CertificateRequest request = _authorityKey.CreateRequest("CN=PerfTools trial authority");
        request.CertificateExtensions.Add(new X509BasicConstraintsExtension(true, false, 0, true));
        request.CertificateExtensions.Add(new X509KeyUsageExtension(X509KeyUsageFlags.KeyCertSign, true));
        request.CertificateExtensions.Add(new X509SubjectKeyIdentifierExtension(request.PublicKey, false));
        _authority = request.CreateSelfSigned(_validFrom, _validUntil);
    }

    /// <summary>The authority's certificate, for a client's <c>-castore</c>.</summary>
    public string AuthorityPem => _authority.ExportCertificatePem();

    /// <summary>Creates a server certificate.</summary>
    /// <param name="names">Host names and addresses in it, one at least.</param>
    /// <param name="keyPassword">Password that encrypts the key; null leaves it unencrypted.</param>
    /// <param name="validUntil">Last moment of validity, not after the authority's; null for the authority's.</param>
    /// <returns>Certificate and private key as PEM text.</returns>
    public (string CertificatePem, string KeyPem) CreateServer(
        IReadOnlyList<string> names, string? keyPassword = null, DateTimeOffset? validUntil = null) =>
        Create(names, ServerAuthentication, keyPassword, validUntil ?? _validUntil);

    /// <summary>Creates a client certificate with this name.</summary>
    /// <returns>Certificate and private key as PEM text.</returns>
    public (string CertificatePem, string KeyPem) CreateClient(string name) =>
        Create([name], ClientAuthentication, keyPassword: null, _validUntil);

    private (string CertificatePem, string KeyPem) Create(
        IReadOnlyList<string> names, string purpose, string? keyPassword, DateTimeOffset validUntil)
    {
        using TrialKey key = new(_keyKind);
        CertificateRequest request = CreateRequest(names, key, purpose);
        request.CertificateExtensions.Add(X509AuthorityKeyIdentifierExtension.CreateFromCertificate(_authority, true, false));
        using X509Certificate2 certificate = request.Create(
            _authority.SubjectName, _authorityKey.CreateSigner(), _validFrom, validUntil,
            RandomNumberGenerator.GetBytes(SerialBytes));
        return (certificate.ExportCertificatePem(), key.ExportPem(keyPassword));
    }

    /// <summary>Writes <c>client.pem</c> and <c>client.key</c> (readable by its owner alone) into an existing folder.</summary>
    /// <exception cref="IOException">A file cannot be written.</exception>
    public (string CertificatePath, string KeyPath) WriteClientFiles(string folder) =>
        Write(folder, "client", CreateClient("PerfTools trial client"));

    /// <summary>
    /// Writes <c>ca.pem</c>, <c>server.pem</c> and <c>server.key</c> (readable by its owner alone) into a folder, which is created if needed.
    /// </summary>
    /// <exception cref="IOException">A file cannot be written.</exception>
    /// <param name="folder">Folder of the files; existing ones of the same names are replaced, links too.</param>
    /// <param name="names">Host names and addresses in the certificate, one at least.</param>
    public (string AuthorityPath, string CertificatePath, string KeyPath) WriteFiles(string folder, IReadOnlyList<string> names)
    {
        Directory.CreateDirectory(folder);
        string authorityPath = WriteAuthorities(folder, [AuthorityPem]);
        (string certificatePath, string keyPath) = Write(folder, "server", CreateServer(names));
        return (authorityPath, certificatePath, keyPath);
    }

    /// <summary>Writes <c>ca.pem</c>, the certificates of one or more authorities, into an existing folder.</summary>
    /// <param name="folder">Folder of the file; an existing one is replaced, a link too.</param>
    /// <param name="authorities">The certificates as PEM text.</param>
    /// <returns>The path of the file.</returns>
    /// <exception cref="IOException">The file cannot be written.</exception>
    public static string WriteAuthorities(string folder, IEnumerable<string> authorities)
    {
        string path = Path.Combine(folder, "ca.pem");
        Write(path, string.Concat(authorities.Select(authority => authority + "\n")));
        return path;
    }

    public void Dispose()
    {
        _authority.Dispose();
        _authorityKey.Dispose();
    }

    private static (string CertificatePath, string KeyPath) Write(string folder, string name, (string CertificatePem, string KeyPem) pem)
    {
        (string certificatePath, string keyPath) = (Path.Combine(folder, name + ".pem"), Path.Combine(folder, name + ".key"));
        Write(certificatePath, pem.CertificatePem + "\n");
        Write(keyPath, pem.KeyPem + "\n", isSecret: true);
        return (certificatePath, keyPath);
    }

    private static CertificateRequest CreateRequest(IReadOnlyList<string> names, TrialKey key, string purpose)
    {
        CertificateRequest request = key.CreateRequest($"CN=\"{names[0].Replace("\"", "", StringComparison.Ordinal)}\"");
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
        request.CertificateExtensions.Add(new X509KeyUsageExtension(key.Usage, true));
        request.CertificateExtensions.Add(new X509EnhancedKeyUsageExtension([new Oid(purpose)], false));
        return request;
    }

    // Creates a new file and moves it to its name: an existing link or a file that all users may read is replaced and never written through.
    private static void Write(string path, string text, bool isSecret = false)
    {
        string beside = $"{path}.{Guid.NewGuid():N}";
        FileStreamOptions options = new() { Mode = FileMode.CreateNew, Access = FileAccess.Write };
        if (isSecret && !OperatingSystem.IsWindows())
            options.UnixCreateMode = UnixFileMode.UserRead | UnixFileMode.UserWrite;
        try
        {
            using (StreamWriter writer = new(beside, options))
                writer.Write(text);
            File.Move(beside, path, overwrite: true);
        }
        catch
        {
            File.Delete(beside);
            throw;
        }
    }
}
