using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;
using PerfCommon.Transport.Tls;

namespace PerfCommon.Tests.Simulation;

/// <summary>
/// The certificate for TLS in a simulated run: the same number of bytes in every process, so that a seed gives the same run in each.
/// </summary>
/// <remarks>
/// Self-signed with RSA, whose signatures all have one length; it is not checked. With the suites we choose, no session is resumed.
/// </remarks>
internal static class SimulatedCertificate
{
    private const string Suite = "TLS_AES_128_GCM_SHA256";
    private const int KeyBits = 2048;

    private static readonly DateTimeOffset ValidFrom = new(2020, 1, 1, 0, 0, 0, TimeSpan.Zero);
    private static readonly Lazy<TlsServerSettings> Made = new(Create);

    /// <summary>False where the system does not support a choice of suites.</summary>
    public static bool IsPossible => OperatingSystem.IsLinux();

    public static TlsServerSettings Server => Made.Value;

    public static TlsClientSettings Client { get; } = IsPossible
        ? TlsClientSettings.Load(skipCertificateCheck: true, cipherSuites: Suite) : TlsClientSettings.Load();

    private static TlsServerSettings Create()
    {
        using RSA key = RSA.Create(KeyBits);
        X500DistinguishedName name = new("CN=memory");
        CertificateRequest request = new(name, key, HashAlgorithmName.SHA256, RSASignaturePadding.Pkcs1);
        X509SignatureGenerator signs = X509SignatureGenerator.CreateForRSA(key, RSASignaturePadding.Pkcs1);
        using X509Certificate2 certificate = request.Create(name, signs, ValidFrom, ValidFrom.AddYears(50), serialNumber: [1]);
        string folder = Directory.CreateTempSubdirectory("simulated").FullName;
        try
        {
            string certificatePath = Path.Combine(folder, "own.pem"), keyPath = Path.Combine(folder, "own.key");
            File.WriteAllText(certificatePath, certificate.ExportCertificatePem());
            File.WriteAllText(keyPath, key.ExportPkcs8PrivateKeyPem());
            return TlsServerSettings.Load(certificatePath, keyPath, cipherSuites: Suite);
        }
        finally
        {
            Directory.Delete(folder, recursive: true);
        }
    }
}
