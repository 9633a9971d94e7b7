using PerfCommon;
using PerfCommon.Transport.Tls;
using PerfTools.Hosting.Options;
using PerfTools.Processes;
using PerfTools.Results.Documents;

namespace PerfTools.Scenarios;

/// <summary>Creates the temporary certificate of an encrypted run in its folder, valid for this machine and a few days.</summary>
internal static class TrialCertificateFiles
{
    private static readonly TimeSpan ClockTolerance = TimeSpan.FromHours(1);
    private static readonly TimeSpan Validity = TimeSpan.FromDays(2);

    /// <summary>Writes the files, unless no role needs them: the connection is not encrypted, or the user provides his own.</summary>
    /// <param name="roles">The roles of the run.</param>
    /// <param name="options">Its options.</param>
    /// <param name="folder">Its folder.</param>
    /// <param name="hosts">Further hosts for which the certificate is valid.</param>
    /// <returns>The certificate of the authority, as PEM text; null where no role needs the files.</returns>
    /// <exception cref="SetupException">They cannot be written (exit code 7).</exception>
    public static string? WriteIfNeeded(IEnumerable<Role> roles, ScenarioOptions options, RunFolder folder, params IEnumerable<string> hosts)
    {
        return roles.Any(role => role.ReadyLine is not null && IsUsedBy(role.Name, options)) ? Write(folder, hosts) : null;
    }

    /// <summary>Writes the files.</summary>
    /// <param name="folder">The folder of the run.</param>
    /// <param name="hosts">Hosts for which the certificate is valid, in addition to localhost and its addresses.</param>
    /// <returns>The certificate of the authority, as PEM text.</returns>
    /// <exception cref="SetupException">They cannot be written (exit code 7).</exception>
    public static string Write(RunFolder folder, params IEnumerable<string> hosts)
    {
        using TrialCertificates certificates = new(DateTimeOffset.UtcNow - ClockTolerance, Validity);
        Write(folder, () => certificates.WriteFiles(folder.FullPath, [.. hosts.Union(["localhost", "127.0.0.1", "::1"])]));
        return certificates.AuthorityPem;
    }

    /// <summary>Writes the authorities that the roles of a folder trust, in place of those before.</summary>
    /// <param name="authorities">Their certificates, as PEM text.</param>
    /// <param name="folder">The folder.</param>
    /// <exception cref="SetupException">They cannot be written (exit code 7).</exception>
    public static void WriteAuthorities(IEnumerable<string> authorities, RunFolder folder) =>
        Write(folder, () => TrialCertificates.WriteAuthorities(folder.FullPath, authorities));

    private static void Write(RunFolder folder, Action write)
    {
        try
        {
            write();
        }
        catch (Exception error) when (FileErrors.IsMeantBy(error))
        {
            throw new SetupException(SetupProblem.OutputFile, $"{folder}: cannot be written: {FileErrors.Describe(path: "", error)}",
                error);
        }
    }

    /// <summary>Sets the certificate of a role that listens, and the authority of one that connects to such a role.</summary>
    public static RoleArguments SetCertificates(this RoleArguments arguments, Role role, RoleContext context)
    {
        if (role.ReadyLine is not null && IsUsedBy(role.Name, context.Options))
            arguments.Set("-cert", context.Folder.PathOf("server.pem")).Set("-keyfile", context.Folder.PathOf("server.key"), "-key");
        if (role.ConnectsTo.Any(peer => IsUsedBy(peer, context.Options)) && !arguments.IsGiven("-insecureSkipCertCheck"))
            arguments.Set("-castore", context.Folder.PathOf("ca.pem"));
        return arguments;
    }

    private static bool IsUsedBy(string listening, ScenarioOptions options) =>
        options.Connection == ConnectionKind.Encrypted && !options.External.ContainsKey(listening)
            && !new RoleArguments(options.ArgumentsOf(listening)).IsGiven("-cert");
}
