using PerfCommon;
using PerfTools.Processes;
using PerfTools.Results.Documents;

namespace PerfTools.Scenarios.Users;

/// <summary>The temporary certificate of an encrypted ramp: the hub's, whose authority sources and users trust. An external hub has its own.</summary>
/// <param name="variant">The ramp.</param>
/// <param name="options">The options.</param>
/// <param name="share">The roles that are started here.</param>
/// <param name="folder">The folder for the files.</param>
internal sealed class UsersCertificates(UsersVariant variant, UsersOptions options, RampShare share, RunFolder folder)
{
    /// <summary>The certificate of the authority, as PEM text; null until it is created here, and where it is not.</summary>
    public string? Authority { get; private set; }

    /// <summary>The arguments of the hub.</summary>
    public string[] OfHub => IsNeeded ? ["-cert", folder.PathOf("server.pem"), "-keyfile", folder.PathOf("server.key")] : [];

    /// <summary>The arguments of a role that connects to the hub.</summary>
    public string[] OfClient(string role) => IsNeeded && !new RoleArguments(options.Arguments.Of(role)).IsGiven("-insecureSkipCertCheck")
        ? ["-castore", folder.PathOf("ca.pem")] : [];

    // Not where the user names a certificate of the hub.
    private bool IsNeeded => variant.Parameters.IsEncrypted && !options.External.ContainsKey(UsersOptions.HubRole)
        && !new RoleArguments(options.Arguments.Of(UsersOptions.HubRole)).IsGiven("-cert");

    /// <summary>Creates the files of the hub before it starts, where it starts here and they are needed.</summary>
    /// <param name="host">The address at which other ranks find the hub.</param>
    /// <returns>Why a file cannot be written, as a sentence; null on success.</returns>
    public string? TryCreate(string host) => Try(() => Authority = IsNeeded && share.HasHub ? TrialCertificateFiles.Write(folder, host) : null);

    /// <summary>Trusts the authority of a hub of another rank, for the roles that start from now on.</summary>
    /// <param name="authority">Its certificate, as PEM text; null for none.</param>
    /// <inheritdoc cref="TryCreate"/>
    public string? TryTrust(string? authority) => authority is null ? null : Try(() => TrialCertificateFiles.WriteAuthorities([authority], folder));

    private static string? Try(Action write)
    {
        try
        {
            write();
            return null;
        }
        catch (SetupException error)
        {
            return error.Message;
        }
    }
}
