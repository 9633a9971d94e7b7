using System.Globalization;
using System.Net.Security;
using System.Security.Cryptography.X509Certificates;

namespace PerfCommon.Transport.Tls;

/// <summary>Checks the certificate of one peer and keeps its error as a sentence.</summary>
/// <param name="peer">Word for the peer in the sentence: server or client.</param>
/// <param name="host">Host that the certificate must name; null for any.</param>
/// <param name="skip">True accepts any certificate.</param>
/// <param name="hasOwn">True when we have a certificate to present.</param>
internal sealed class TlsCertificateCheck(string peer, string? host, bool skip, bool hasOwn)
{
    private bool _hasShownNone;

    /// <summary>The error; null when there was none, or no certificate has arrived yet.</summary>
    public string? Problem { get; private set; }

    /// <summary>The reason why a server may have disconnected without a reason; null when certificates cannot be the cause.</summary>
    public string? Suspicion =>
        _hasShownNone ? "the server asked for a certificate of ours, got none, and closed the connection"
        : hasOwn ? "the server closed the connection at once, perhaps because of our certificate"
        : null;

    public X509Certificate ShowNone(
        object sender, string targetHost, X509CertificateCollection ours, X509Certificate? theirs, string[] acceptableIssuers)
    {
        _hasShownNone |= theirs is not null; // the first call is made before the server has sent anything
        return null!; // as in the framework's documentation
    }

    public bool Accept(object sender, X509Certificate? certificate, X509Chain? chain, SslPolicyErrors errors) // wire/transport 8.1
    {
        if (skip || errors == SslPolicyErrors.None)
            return true;
        Problem = errors switch
        {
            _ when errors.HasFlag(SslPolicyErrors.RemoteCertificateNotAvailable) => $"the {peer} has shown no certificate",
            _ when errors.HasFlag(SslPolicyErrors.RemoteCertificateChainErrors) =>
                $"the {peer}'s certificate is not trusted: {Reasons(certificate as X509Certificate2, chain)}",
            _ => $"the {peer}'s certificate is not for {host}",
        };
        return false;
    }

    private static string Reasons(X509Certificate2? certificate, X509Chain? chain) => chain is null
        ? "no chain"
        : string.Join(", ", chain.ChainStatus.Select(status => Describe(status.Status, certificate)).Distinct());

    private static string Describe(X509ChainStatusFlags status, X509Certificate2? certificate) => status switch
    {
        X509ChainStatusFlags.PartialChain => $"no trusted authority has signed it ({Issuer(certificate)})",
        X509ChainStatusFlags.UntrustedRoot => $"its authority is not trusted here ({Issuer(certificate)})",
        X509ChainStatusFlags.NotTimeValid when certificate?.NotBefore > DateTime.Now =>
            $"it is not valid before {Date(certificate.NotBefore)}",
        X509ChainStatusFlags.NotTimeValid when certificate is not null => $"it expired on {Date(certificate.NotAfter)}",
        X509ChainStatusFlags.NotValidForUsage => "it is for another purpose",
        _ => status.ToString(),
    };

    private static string Issuer(X509Certificate2? certificate) => $"signed by {PrintableText.From(certificate?.Issuer ?? "nobody")}";

    private static string Date(DateTime local) => local.ToUniversalTime().ToString("yyyy-MM-dd", CultureInfo.InvariantCulture);
}
