using System.Net.Security;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;

namespace PerfCommon.Transport.Tls;

/// <summary>Reads certificates and keys from PEM files; an error names the file and the reason.</summary>
internal static class CertificateFiles
{
    private const int MaxBytes = 4 * 1024 * 1024;
    private const string KeyLabelEnd = "PRIVATE KEY";
    private const string EncryptedKeyLabel = "ENCRYPTED PRIVATE KEY";

    /// <summary>Reads a certificate of ours, the intermediate certificates that follow it, and its key.</summary>
    /// <exception cref="SetupException">A file cannot be used, or the password or the key does not match.</exception>
    public static SslStreamCertificateContext ReadOwn(string certificatePath, string keyPath, string? keyPassword)
    {
        X509Certificate2Collection chain = ReadCertificates(certificatePath);
        string certificate = ReadText(certificatePath), key = ReadText(keyPath);
        string label = FindKeyLabel(key) ?? throw FileErrors.Input(keyPath, "no PEM private key in it");
        bool isEncrypted = label == EncryptedKeyLabel;
        if (isEncrypted && keyPassword is null)
            throw FileErrors.Input(keyPath, "the key has a password, and none was given");
        try
        {
            X509Certificate2 own = isEncrypted
                ? X509Certificate2.CreateFromEncryptedPem(certificate, key, keyPassword)
                : X509Certificate2.CreateFromPem(certificate, key);
            return SslStreamCertificateContext.Create(own, chain, offline: true);
        }
        catch (Exception problem) when (problem is CryptographicException or ArgumentException)
        {
            string mismatch = $"not the key of {certificatePath}";
            throw FileErrors.Input(keyPath, isEncrypted ? $"the password is wrong, or it is {mismatch}" : mismatch, problem);
        }
    }

    /// <summary>Creates a policy that trusts the authorities of a file.</summary>
    /// <param name="path">PEM file.</param>
    /// <param name="trustsSystem">True trusts the system's authorities as well.</param>
    /// <exception cref="SetupException">The file cannot be read or holds no certificate.</exception>
    public static X509ChainPolicy ReadTrust(string path, bool trustsSystem)
    {
        X509ChainPolicy policy = new() { TrustMode = X509ChainTrustMode.CustomRootTrust, RevocationMode = X509RevocationMode.NoCheck };
        policy.CustomTrustStore.AddRange(ReadCertificates(path));
        if (!trustsSystem)
            return policy;
        using X509Store system = new(StoreName.Root, StoreLocation.LocalMachine, OpenFlags.ReadOnly);
        policy.CustomTrustStore.AddRange(system.Certificates);
        return policy;
    }

    private static X509Certificate2Collection ReadCertificates(string path)
    {
        X509Certificate2Collection certificates = [];
        try
        {
            certificates.ImportFromPem(ReadText(path));
        }
        catch (CryptographicException problem)
        {
            throw FileErrors.Input(path, "a certificate in it is damaged", problem);
        }

        return certificates.Count > 0 ? certificates : throw FileErrors.Input(path, "no PEM certificate in it");
    }

    private static string ReadText(string path)
    {
        try
        {
            string text = LimitedFile.ReadText(path, MaxBytes);
            return text.Length > 0 ? text : throw FileErrors.Empty(path);
        }
        catch (Exception problem) when (FileErrors.IsMeantBy(problem))
        {
            throw FileErrors.Unreadable(path, problem);
        }
    }

    private static string? FindKeyLabel(ReadOnlySpan<char> text)
    {
        while (PemEncoding.TryFind(text, out PemFields fields))
        {
            ReadOnlySpan<char> label = text[fields.Label];
            if (label.EndsWith(KeyLabelEnd, StringComparison.Ordinal))
                return label.ToString();
            text = text[fields.Location.End..];
        }

        return null;
    }
}
