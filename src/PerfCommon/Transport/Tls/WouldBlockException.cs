namespace PerfCommon.Transport.Tls;

/// <summary>Ends a read of SslStream that needs a record which has not arrived (behind a session ticket, say); the read is made again later.</summary>
/// <remarks>An IOException, because SslStream wraps all others.</remarks>
internal sealed class WouldBlockException : IOException
{
}
