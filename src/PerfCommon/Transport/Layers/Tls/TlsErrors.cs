using System.ComponentModel;
using System.Security.Authentication;
using System.Security.Cryptography;

namespace PerfCommon.Transport.Tls;

/// <summary>Describes errors of the TLS library in words.</summary>
internal static class TlsErrors
{
    // Marks in the text of exceptions or of OpenSSL, and their meanings; the first match is used.
    private static readonly (string Mark, string Meaning)[] Meanings =
    [
        ("protocol version", "no TLS version in common"),
        ("unsupported protocol", "no TLS version in common"),
        ("version too low", "no TLS version in common"),
        ("no protocols available", "no TLS version in common"),
        ("no shared cipher", "no cipher suite in common"),
        ("no suitable key share", "no key exchange in common"),
        ("handshake failure", "the peer refuses: no cipher suite in common, or it misses a certificate of ours"),
        ("certificate required", "the peer asks for a certificate of ours, and none was shown"),
        ("unknown ca", "the peer does not trust the authority of our certificate"),
        ("certificate expired", "the peer says that our certificate has expired"),
        ("bad certificate", "the peer refuses our certificate"),
        ("certificate unknown", "the peer refuses our certificate"),
        ("unsupported certificate", "the peer refuses our certificate: it is for another purpose"),
        ("wrong version number", "the peer does not speak TLS"),
        ("http request", "the peer does not speak TLS"),
        ("frame size", "the peer does not speak TLS"),
        ("packet length", "the peer does not speak TLS"),
        ("unexpected eof", "the peer closed the connection, perhaps as it does not speak TLS"),
        ("0 bytes from the transport", "the peer closed the connection, perhaps as it does not speak TLS"),
    ];

    /// <summary>
    /// True for exceptions that SslStream throws because of the peer, the connection or the TLS library: a second handshake in mid-stream
    /// may fail, too.
    /// </summary>
    public static bool IsMeantBy(Exception problem) => problem is IOException or InvalidOperationException or NotSupportedException
        or AuthenticationException or CryptographicException or Win32Exception;

    /// <summary>Returns the end of a sentence about a failure; an unknown one keeps its innermost text.</summary>
    /// <param name="problem">The exception of the stream.</param>
    /// <param name="versions">The versions of our side, named where they are the cause.</param>
    public static string Describe(Exception problem, SslProtocols versions)
    {
        string texts = string.Join(' ', Chain(problem).Select(cause => cause.Message));
        string? meaning = Meanings.FirstOrDefault(entry => texts.Contains(entry.Mark, StringComparison.OrdinalIgnoreCase)).Meaning;
        return meaning switch
        {
            null => Chain(problem).Last().Message,
            _ when meaning == Meanings[0].Meaning => $"{meaning}; ours: {TlsVersions.Describe(versions)}",
            _ => meaning,
        };
    }

    private static IEnumerable<Exception> Chain(Exception problem)
    {
        for (Exception? cause = problem; cause is not null; cause = cause.InnerException)
            yield return cause;
    }
}
