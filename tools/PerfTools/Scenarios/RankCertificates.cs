using PerfCommon;
using PerfTools.Results.Documents;

namespace PerfTools.Scenarios;

/// <summary>
/// The temporary certificates of an encrypted run over ranks that share no folder: each rank makes one for its roles that listen, and shows the others
/// the certificate of its authority. No private key leaves its machine.
/// </summary>
/// <param name="folder">The folder of the run on this rank.</param>
internal sealed class RankCertificates(RunFolder folder)
{
    private readonly List<string> _trusted = [];

    /// <summary>The certificate of this rank's authority, as PEM text; null where none of its roles needs one.</summary>
    public string? Authority { get; private set; }

    /// <summary>Creates the files of this rank, unless no role of it needs them.</summary>
    /// <param name="roles">The roles of this rank.</param>
    /// <param name="options">The options of the run.</param>
    /// <param name="address">The address at which other ranks find its roles.</param>
    /// <exception cref="SetupException">They cannot be written (exit code 7).</exception>
    public void Create(IEnumerable<Role> roles, ScenarioOptions options, string address)
    {
        Authority = TrialCertificateFiles.WriteIfNeeded(roles, options, folder, address);
        if (Authority is not null)
            _trusted.Add(Authority);
    }

    /// <summary>Adds the authority of another rank to those that the roles of this one trust, where they start from now on.</summary>
    /// <param name="authority">Its certificate, as PEM text; null for none.</param>
    /// <exception cref="SetupException">The file cannot be written (exit code 7).</exception>
    public void Trust(string? authority)
    {
        if (authority is null || _trusted.Contains(authority))
            return;
        _trusted.Add(authority);
        TrialCertificateFiles.WriteAuthorities(_trusted, folder);
    }
}
