using PerfCommon;
using PerfCommon.Transport.Tls;
using PerfTools.Hosting.Options;
using PerfTools.Results;
using PerfTools.Roles;

namespace PerfTools.Scenarios;

/// <summary>The throw-away certificate of an encrypted run: made in its folder, good for this machine and a few days.</summary>
internal static class TrialCertificateFiles
{
    private static readonly TimeSpan ClockTolerance = TimeSpan.FromHours(1);
    private static readonly TimeSpan Validity = TimeSpan.FromDays(2);

    /// <summary>Makes the files, unless the connection needs none or the user brings his own.</summary>
    /// <exception cref="SetupException">They cannot be written (exit code 7).</exception>
    public static void WriteIfNeeded(ScenarioOptions options, RunFolder directory)
    {
        if (options.Connection != ConnectionKind.Encrypted || new RoleArguments(options.ServerArguments).IsGiven("-cert"))
            return;
        try
        {
            using TrialCertificates certificates = new(DateTimeOffset.UtcNow - ClockTolerance, Validity);
            certificates.WriteFiles(directory.FullPath, ["localhost", "127.0.0.1", "::1"]);
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            throw new SetupException(SetupProblem.OutputFile, $"{directory}: {error.Message}", error);
        }
    }

    /// <summary>Names the server's certificate.</summary>
    public static RoleArguments SetServerCertificate(this RoleArguments arguments, ScenarioOptions options, RunFolder directory) =>
        options.Connection != ConnectionKind.Encrypted || arguments.IsGiven("-cert")
            ? arguments
            : arguments.Set("-cert", directory.PathOf("server.pem")).Set("-keyfile", directory.PathOf("server.key"), "-key");

    /// <summary>Names the authority that the client trusts.</summary>
    public static RoleArguments SetClientTrust(this RoleArguments arguments, ScenarioOptions options, RunFolder directory) =>
        options.Connection != ConnectionKind.Encrypted || new RoleArguments(options.ServerArguments).IsGiven("-cert")
            || arguments.IsGiven("-insecureSkipCertCheck")
            ? arguments
            : arguments.Set("-castore", directory.PathOf("ca.pem"));
}
