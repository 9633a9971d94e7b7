using PerfCommon;
using PerfCommon.Transport.Tls;
using PerfTools.Hosting.CommandLine;
using PerfTools.Hosting.Reporting;
using PerfTools.Hosting.Running;

namespace PerfTools.Verbs;

/// <summary><c>perftools cert</c>: creates a temporary authority, and certificates of a server and a client signed by it.</summary>
internal static class CertVerb
{
    private const int MaxDays = 3650;
    private static readonly TimeSpan ClockTolerance = TimeSpan.FromHours(1);
    private static readonly ChoiceWord<TrialKeyKind>[] Keys = [new("rsa", TrialKeyKind.Rsa), new("ecdsa", TrialKeyKind.Ecdsa)];

    public const string Summary =
        "Makes a throw-away certificate authority with certificates of a server and a client, for trials of encrypted connections";

    public static OptionTable<CertOptions> Options { get; } = CreateOptions();

    public static RunOutcome Run(CertOptions options, RunHost host)
    {
        try
        {
            using TrialCertificates certificates = new(DateTimeOffset.UtcNow - ClockTolerance,
                TimeSpan.FromDays(options.Days) + ClockTolerance, options.Key);
            (string authority, string certificate, string key) = certificates.WriteFiles(options.Out, options.NameList);
            (string ownCertificate, string ownKey) = certificates.WriteClientFiles(options.Out);
            host.Console.WriteLine($"server: -connType encrypted -cert {certificate} -keyfile {key}");
            host.Console.WriteLine($"client: -connType encrypted -castore {authority}");
            host.Console.WriteLine($"for a server that demands certificates of its clients: -clientca {authority}");
            host.Console.WriteLine($"and for its clients: -cert {ownCertificate} -keyfile {ownKey}");
            return RunOutcome.Success;
        }
        catch (Exception problem) when (FileErrors.IsMeantBy(problem))
        {
            return new RunOutcome(ExitCode.OutputFile,
                $"cert: {options.Out}: cannot be written: {FileErrors.Describe(path: "", problem)}");
        }
    }

    private static OptionTable<CertOptions> CreateOptions()
    {
        OptionTable<CertOptions> table = new("perftools cert", new CertOptions(), o => o.FindProblem()) { HasLongNames = true };
        table.Text("-out", "folder", "folder for the files", o => o.Out, (o, v) => o with { Out = v });
        table.Text("-names", "list", "host names and addresses of the server", o => o.Names, (o, v) => o with { Names = v });
        table.Number("-days", "n", "days that the certificates are valid", o => o.Days, (o, v) => o with { Days = v }).Within(1, MaxDays);
        table.Choice("-key", "kind", "key algorithm: rsa (2048 bits) or ecdsa (P-256, refused by peers with RSA cipher suites only)", Keys,
            o => o.Key, (o, v) => o with { Key = v });
        return table;
    }
}

/// <summary>The options of <c>perftools cert</c>. Vary it with <c>with</c>.</summary>
internal sealed record CertOptions
{
    /// <summary>The folder for the files. <c>--out</c></summary>
    public string Out { get; init; } = "certs";

    /// <summary>Host names and addresses of the server, separated by commas. <c>--names</c></summary>
    public string Names { get; init; } = "localhost,127.0.0.1,::1";

    /// <summary>The validity of the certificates in days from now. <c>--days</c></summary>
    public int Days { get; init; } = 30;

    /// <summary>The algorithm of the keys. <c>--key</c></summary>
    public TrialKeyKind Key { get; init; } = TrialKeyKind.Rsa;

    public IReadOnlyList<string> NameList => Names.Split(',', StringSplitOptions.TrimEntries | StringSplitOptions.RemoveEmptyEntries);

    /// <summary>Finds the first contradiction, as a sentence that names the flags; null when there is none.</summary>
    public string? FindProblem() => this switch
    {
        { NameList: [] } => "--names must name a host",
        { NameList: var names } when names.FirstOrDefault(n => !IsHost(n)) is { } wrong =>
            $"--names: '{wrong}' is no host name and no address",
        _ => null,
    };

    private static bool IsHost(string name) => Uri.CheckHostName(name) != UriHostNameType.Unknown;
}
