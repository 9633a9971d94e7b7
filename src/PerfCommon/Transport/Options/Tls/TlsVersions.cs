using System.Security.Authentication;

namespace PerfCommon.Transport.Tls;

/// <summary>The supported versions of TLS.</summary>
internal static class TlsVersions
{
    /// <summary>TLS 1.2 and 1.3.</summary>
    public const SslProtocols Default = SslProtocols.Tls12 | SslProtocols.Tls13; // wire/transport 8.1

    /// <summary>Returns their names.</summary>
    public static string Describe(SslProtocols versions) => versions switch
    {
        SslProtocols.Tls12 => "TLS 1.2",
        SslProtocols.Tls13 => "TLS 1.3",
        _ => "TLS 1.2 and 1.3",
    };

    internal static void ThrowIfRefused(SslProtocols versions)
    {
        if (versions == SslProtocols.None || (versions & ~Default) != SslProtocols.None)
            // wire/transport 8.1
            throw new ArgumentOutOfRangeException(nameof(versions), versions, "only TLS 1.2 and 1.3 are spoken");
    }
}
