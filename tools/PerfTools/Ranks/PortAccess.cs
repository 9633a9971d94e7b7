using System.Security.Cryptography;
using System.Text;

namespace PerfTools.Ranks;

/// <summary>Who may connect to the port of rank 0: ranks of the same run that know its token.</summary>
/// <param name="token">The token.</param>
/// <param name="identity">The identity of rank 0.</param>
internal sealed class PortAccess(string token, RankIdentity identity)
{
    private readonly byte[] _token = Hash(token);

    /// <summary>Says why a rank is refused; null when it is not. The token is compared in constant time.</summary>
    public string? FindProblem(PortHello hello) => !CryptographicOperations.FixedTimeEquals(_token, Hash(hello.Token)) ? "another token"
        : hello.RunId != identity.RunId ? "another --run-id"
        : hello.Ranks != identity.Count ? FormattableString.Invariant($"{hello.Ranks} ranks, not {identity.Count}")
        : hello.Rank <= 0 || hello.Rank >= identity.Count ? "no rank of this run" : null;

    private static byte[] Hash(string text) => SHA256.HashData(Encoding.UTF8.GetBytes(text));
}
