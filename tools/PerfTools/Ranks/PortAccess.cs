using System.Security.Cryptography;
using System.Text;

namespace PerfTools.Ranks;

/// <summary>Who may connect to the port of rank 0: ranks of the same run that know its token.</summary>
/// <param name="token">The token.</param>
/// <param name="identity">The identity of rank 0.</param>
/// <param name="run">The number of its run among those that the ranks carry out one after another, from 1.</param>
internal sealed class PortAccess(string token, RankIdentity identity, int run = 1)
{
    private readonly byte[] _token = Hash(token);

    /// <summary>Says why a rank is refused; null when it is not. The token is compared in constant time.</summary>
    public PortRefusal? FindProblem(PortHello hello) => !CryptographicOperations.FixedTimeEquals(_token, Hash(hello.Token)) ? new("another token")
        : hello.RunId != identity.RunId ? new("another --run-id")
        : hello.Ranks != identity.Count ? new(FormattableString.Invariant($"{hello.Ranks} ranks, not {identity.Count}"))
        : hello.Rank <= 0 || hello.Rank >= identity.Count ? new("no rank of this run")
        : hello.Run > run ? new(FormattableString.Invariant($"run {run} has not ended"), IsEarly: true)
        : hello.Run < run ? new(FormattableString.Invariant($"run {hello.Run} has ended")) : null;

    private static byte[] Hash(string text) => SHA256.HashData(Encoding.UTF8.GetBytes(text));
}
