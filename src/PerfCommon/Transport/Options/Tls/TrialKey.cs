using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;

namespace PerfCommon.Transport.Tls;

/// <summary>The algorithm of the keys of trial certificates.</summary>
internal enum TrialKeyKind
{
    /// <summary>RSA of 2,048 bits: accepted by every edition of the RSSL tools.</summary>
    Rsa,

    /// <summary>ECDSA over P-256: smaller, but refused by a peer that has RSA cipher suites only.</summary>
    Ecdsa,
}

/// <summary>One private key of a trial certificate, of any algorithm.</summary>
internal sealed class TrialKey : IDisposable
{
    private const int RsaBits = 2048;
    private const int PasswordRounds = 100_000;

    private readonly AsymmetricAlgorithm _key;

    public TrialKey(TrialKeyKind kind) =>
        _key = kind == TrialKeyKind.Rsa ? RSA.Create(RsaBits) : ECDsa.Create(ECCurve.NamedCurves.nistP256);

    /// <summary>Key usages of a server or client certificate with this key.</summary>
    public X509KeyUsageFlags Usage => _key is RSA
        ? X509KeyUsageFlags.DigitalSignature | X509KeyUsageFlags.KeyEncipherment // the latter for suites without Diffie-Hellman
        : X509KeyUsageFlags.DigitalSignature;

    /// <summary>Signs certificates with this key.</summary>
    public X509SignatureGenerator CreateSigner() => _key is RSA rsa
        ? X509SignatureGenerator.CreateForRSA(rsa, RSASignaturePadding.Pkcs1)
        : X509SignatureGenerator.CreateForECDsa((ECDsa)_key);

    /// <summary>Creates a request for a certificate of this key.</summary>
    public CertificateRequest CreateRequest(string subject) => _key is RSA rsa
        ? new(new X500DistinguishedName(subject), rsa, HashAlgorithmName.SHA256, RSASignaturePadding.Pkcs1)
        : new(new X500DistinguishedName(subject), (ECDsa)_key, HashAlgorithmName.SHA256);

    /// <summary>Exports the key as PEM text.</summary>
    /// <param name="password">Password that encrypts it; null leaves it unencrypted.</param>
    public string ExportPem(string? password) => password is null
        ? _key.ExportPkcs8PrivateKeyPem()
        : _key.ExportEncryptedPkcs8PrivateKeyPem(password,
            new PbeParameters(PbeEncryptionAlgorithm.Aes256Cbc, HashAlgorithmName.SHA256, PasswordRounds));

    public void Dispose() => _key.Dispose();
}
