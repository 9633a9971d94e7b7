using System.Security.Authentication;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using PerfCommon.Transport;
using PerfCommon.Transport.Tls;
using Xunit;

namespace PerfCommon.Tests.Transport.Tls;

public sealed class TrialCertificatesTests : IDisposable
{
    private const string OfRsa = "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384,TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256";
    private const string OfRsaAlone = "TLS_RSA_WITH_AES_128_GCM_SHA256";
    private const string OfEcdsa = "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384";

    private readonly TrialCertificates _authority = new(DateTimeOffset.UtcNow.AddDays(-1), TimeSpan.FromDays(2), TrialKeyKind.Ecdsa);
    private readonly BufferPool _pool = new();
    private readonly string _folder = Directory.CreateTempSubdirectory("keys").FullName;

    public void Dispose()
    {
        _authority.Dispose();
        Directory.Delete(_folder, recursive: true);
    }

    [Theory]
    [InlineData(true, "", OfRsa, true)] // the server has suites of RSA only
    [InlineData(true, OfRsa, "", true)] // the client has
    [InlineData(true, OfRsaAlone, OfRsaAlone, true)] // without Diffie-Hellman
    [InlineData(true, OfEcdsa, "", false)]
    [InlineData(false, "", OfRsa, false)]
    [InlineData(false, OfRsa, "", false)]
    [InlineData(false, OfEcdsa, "", true)]
    public void Open_SuitesOfOneAlgorithm_NeedACertificateOfIt(bool isRsa, string clientSuites, string serverSuites, bool opens)
    {
        using TrialCertificates authority = new(DateTimeOffset.UtcNow.AddDays(-1), TimeSpan.FromDays(2), KindOf(isRsa));
        (string trusted, string certificate, string key) = authority.WriteFiles(_folder, ["localhost"]);
        (string ownCertificate, string ownKey) = authority.WriteClientFiles(_folder);
        (MemoryPipe clientEnd, MemoryPipe serverEnd) = MemoryPipe.CreatePair();
        using TlsPipe client = TlsPipe.ForClient(clientEnd,
            TlsClientSettings.Load(trusted, certificatePath: ownCertificate, keyPath: ownKey, versions: SslProtocols.Tls12,
                cipherSuites: SuitesOf(clientSuites)),
            "localhost", _pool);
        using TlsPipe server = TlsPipe.ForServer(serverEnd,
            TlsServerSettings.Load(certificate, key, versions: SslProtocols.Tls12, clientAuthorityPath: trusted,
                cipherSuites: SuitesOf(serverSuites)),
            _pool);

        PipeStatus expected = opens ? PipeStatus.Ready : PipeStatus.Failed;
        Assert.Equal((expected, expected), PipePump.OpenBoth(client, server, clientEnd, serverEnd));
    }

    private static TrialKeyKind KindOf(bool isRsa) => isRsa ? TrialKeyKind.Rsa : TrialKeyKind.Ecdsa;

    private static string? SuitesOf(string names) => names.Length > 0 ? names : null;

    [Theory]
    [InlineData(true, "1.2.840.113549.1.1.1", 2048)]
    [InlineData(false, "1.2.840.10045.2.1", 256)]
    public void Create_Kind_IsThatOfEveryKey(bool isRsa, string algorithm, int bits)
    {
        using TrialCertificates authority = new(DateTimeOffset.UtcNow.AddDays(-1), TimeSpan.FromDays(2), KindOf(isRsa));
        string[] pems = [authority.AuthorityPem, authority.CreateServer(["localhost"]).CertificatePem, authority.CreateClient("me").CertificatePem];

        Assert.All(pems, pem =>
        {
            using X509Certificate2 certificate = X509Certificate2.CreateFromPem(pem);
            using AsymmetricAlgorithm key = (AsymmetricAlgorithm?)certificate.GetRSAPublicKey() ?? certificate.GetECDsaPublicKey()!;
            Assert.Equal((algorithm, bits), (certificate.PublicKey.Oid.Value, key.KeySize));
        });
    }

    [Fact]
    public void WriteFiles_KeyThatStoodOpen_IsItsOwnersAlone()
    {
        string key = Path.Combine(_folder, "server.key");
        File.WriteAllText(key, "old");
        if (!OperatingSystem.IsWindows())
            File.SetUnixFileMode(key, UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.GroupRead | UnixFileMode.OtherRead);
        Assert.Equal(key, _authority.WriteFiles(_folder, ["localhost"]).KeyPath);
        Assert.StartsWith("-----BEGIN PRIVATE KEY-----", File.ReadAllText(key), StringComparison.Ordinal);
        if (!OperatingSystem.IsWindows())
            Assert.Equal(UnixFileMode.UserRead | UnixFileMode.UserWrite, File.GetUnixFileMode(key));
        Assert.Equal(["ca.pem", "server.key", "server.pem"], Directory.GetFiles(_folder).Select(Path.GetFileName).Order());
    }

    [Fact]
    public void WriteFiles_LinkInTheKeysPlace_IsReplacedAndNotFollowed()
    {
        string other = Path.Combine(_folder, "other");
        File.WriteAllText(other, "mine");
        File.CreateSymbolicLink(Path.Combine(_folder, "server.key"), other);
        string key = _authority.WriteFiles(_folder, ["localhost"]).KeyPath;
        Assert.Equal("mine", File.ReadAllText(other));
        Assert.Null(new FileInfo(key).LinkTarget);
    }
}
