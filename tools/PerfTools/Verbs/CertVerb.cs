using PerfCommon.Transport.Tls;
using PerfTools.Hosting.CommandLine;
using PerfTools.Hosting.Reporting;
using PerfTools.Hosting.Running;

namespace PerfTools.Verbs;

/// <summary><c>perftools cert</c>: a throw-away authority and a server certificate signed by it.</summary>
internal static class CertVerb
{
    private static readonly TimeSpan ClockTolerance = TimeSpan.FromHours(1);

    /// <summary>What it does, in one line of the help.</summary>
    public const string Summary = "Makes a throw-away certificate authority and server certificate, for trials of encrypted connections";

    /// <summary>Its options.</summary>
    public static OptionTable<CertOptions> Options { get; } = CreateOptions();

    /// <summary>Makes the files and names them.</summary>
    public static RunOutcome Run(CertOptions options, RunHost host)
    {
        try
        {
            using TrialCertificates certificates = new(DateTimeOffset.UtcNow - ClockTolerance, TimeSpan.FromDays(options.Days) + ClockTolerance);
            (string authority, string certificate, string key) = certificates.WriteFiles(options.Out, options.NameList);
            host.Console.WriteLine($"server: -connType encrypted -cert {certificate} -keyfile {key}");
            host.Console.WriteLine($"client: -connType encrypted -castore {authority}");
            return RunOutcome.Success;
        }
        catch (Exception problem) when (problem is IOException or UnauthorizedAccessException)
        {
            return new RunOutcome(ExitCode.OutputFile, $"cert: {problem.Message}");
        }
    }

    private static OptionTable<CertOptions> CreateOptions()
    {
        OptionTable<CertOptions> table = new("perftools cert", new CertOptions(), o => o.FindProblem()) { HasLongNames = true };
        table.Text("-out", "folder", "folder for the files", o => o.Out, (o, v) => o with { Out = v });
        table.Text("-names", "list", "host names and addresses of the server", o => o.Names, (o, v) => o with { Names = v });
        table.Number("-days", "n", "days that the certificates are valid", o => o.Days, (o, v) => o with { Days = v });
        return table;
    }
}
