using System.Net.Security;
using System.Security.Cryptography.X509Certificates;

namespace PerfCommon.Transport.Tls;

/// <summary>Judges the certificate of one server and keeps, as a sentence, what is wrong with it.</summary>
internal sealed class TlsCertificateCheck(bool skip, string host)
{
    /// <summary>What was wrong; null when nothing was, or no certificate has come yet.</summary>
    public string? Problem { get; private set; }

    public bool Accept(object sender, X509Certificate? certificate, X509Chain? chain, SslPolicyErrors errors)
    {
        if (skip || errors == SslPolicyErrors.None)
            return true;
        Problem = errors switch
        {
            _ when errors.HasFlag(SslPolicyErrors.RemoteCertificateNotAvailable) => "the server has shown no certificate",
            _ when errors.HasFlag(SslPolicyErrors.RemoteCertificateChainErrors) => $"the server's certificate is not trusted ({Reasons(chain)})",
            _ => $"the server's certificate is not for {host}",
        };
        return false;
    }

    private static string Reasons(X509Chain? chain) =>
        chain is null ? "no chain" : string.Join(", ", chain.ChainStatus.Select(s => s.Status).Distinct());
}
