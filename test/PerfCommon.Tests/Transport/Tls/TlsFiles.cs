using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using PerfCommon.Transport.Tls;

namespace PerfCommon.Tests.Transport.Tls;

/// <summary>Certificates in a separate folder, created once for all TLS tests.</summary>
public sealed class TlsFiles : IDisposable
{
    private readonly TrialCertificates _authority = new(DateTimeOffset.UtcNow.AddDays(-10), TimeSpan.FromDays(20), TrialKeyKind.Ecdsa);
    private readonly string _folder = Directory.CreateTempSubdirectory("tls").FullName;

    public TlsFiles()
    {
        (AuthorityPath, CertificatePath, KeyPath) = _authority.WriteFiles(_folder, ["localhost", "127.0.0.1"]);
        Good = TlsServerSettings.Load(CertificatePath, KeyPath);
        Trusting = TlsClientSettings.Load(AuthorityPath);
    }

    public string AuthorityPath { get; }

    public string CertificatePath { get; }

    public string KeyPath { get; }

    public TlsServerSettings Good { get; }

    public TlsClientSettings Trusting { get; }

    public TlsServerSettings Expired() =>
        Load("expired", _authority.CreateServer(["localhost"], validUntil: DateTimeOffset.UtcNow.AddDays(-1)));

    public TlsServerSettings SelfSigned()
    {
        using ECDsa key = ECDsa.Create(ECCurve.NamedCurves.nistP256);
        CertificateRequest request = new("CN=localhost", key, HashAlgorithmName.SHA256);
        using X509Certificate2 certificate = request.CreateSelfSigned(DateTimeOffset.UtcNow.AddDays(-1), DateTimeOffset.UtcNow.AddDays(1));
        return Load("self", (certificate.ExportCertificatePem(), key.ExportPkcs8PrivateKeyPem()));
    }

    public TlsServerSettings ForOtherHost() => Load("other", _authority.CreateServer(["elsewhere.example"]));

    public string Write(string name, string text)
    {
        string path = Path.Combine(_folder, name);
        File.WriteAllText(path, text);
        return path;
    }

    public (string CertificatePem, string KeyPem) CreateServer(string? keyPassword) => _authority.CreateServer(["localhost"], keyPassword);

    public void Dispose()
    {
        _authority.Dispose();
        Directory.Delete(_folder, recursive: true);
    }

    private TlsServerSettings Load(string name, (string CertificatePem, string KeyPem) pem) =>
        TlsServerSettings.Load(Write($"{name}.pem", pem.CertificatePem), Write($"{name}.key", pem.KeyPem));
}
