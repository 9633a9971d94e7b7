using System.Net.Security;
using System.Security.Authentication;

namespace PerfCommon.Transport.Tls;

/// <summary>Cipher suites by their registered names, <c>TLS_...</c>.</summary>
internal static class TlsCiphers
{
    private const TlsCipherSuite FirstOfTls13 = TlsCipherSuite.TLS_AES_128_GCM_SHA256;
    private const TlsCipherSuite LastOfTls13 = TlsCipherSuite.TLS_AES_128_CCM_8_SHA256;

    /// <summary>Returns the error of a list of names, as the end of a sentence; null when it can be used.</summary>
    public static string? FindProblem(string names, SslProtocols versions)
    {
        string? unknown = Split(names).FirstOrDefault(name => !TryFind(name, out _));
        if (unknown is not null)
            return $"'{PrintableText.From(unknown)}' is not a cipher suite";
        return Narrow(versions, names) == SslProtocols.None ? $"no suite of {TlsVersions.Describe(versions)} is named" : null;
    }

    /// <summary>Returns those of the versions to which the suites belong: TLS 1.3 has separate suites.</summary>
    public static SslProtocols Narrow(SslProtocols versions, string? names)
    {
        if (names is null)
            return versions;
        SslProtocols named = SslProtocols.None;
        foreach (TlsCipherSuite suite in Find(names))
            named |= suite is >= FirstOfTls13 and <= LastOfTls13 ? SslProtocols.Tls13 : SslProtocols.Tls12;
        return versions & named;
    }

    /// <summary>Creates the SslStream policy that allows these suites only; null, the system's choice, for null.</summary>
    /// <exception cref="SetupException">The list cannot be used, or this system does not support a choice of suites.</exception>
    public static CipherSuitesPolicy? CreatePolicy(string? names, SslProtocols versions)
    {
        if (names is null)
            return null;
        if (FindProblem(names, versions) is { } problem)
            throw Refuse(problem);
        if (OperatingSystem.IsWindows())
            throw Refuse("this system does not let a program choose");
        return new CipherSuitesPolicy(Find(names));
    }

    private static IEnumerable<TlsCipherSuite> Find(string names) =>
        Split(names).Select(name => TryFind(name, out TlsCipherSuite suite) ? suite : default);

    private static string[] Split(string names) =>
        names.Split([',', ':'], StringSplitOptions.TrimEntries | StringSplitOptions.RemoveEmptyEntries);

    private static bool TryFind(string name, out TlsCipherSuite suite) =>
        Enum.TryParse(name, ignoreCase: true, out suite) && !char.IsAsciiDigit(name[0]);

    private static SetupException Refuse(string why) => new(SetupProblem.CommandLine, $"-cipher: {why}");
}
