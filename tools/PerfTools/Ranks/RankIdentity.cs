using System.Globalization;

namespace PerfTools.Ranks;

/// <summary>The number of this process among several of one run; each runs the same command.</summary>
/// <param name="Rank">The number, from 0.</param>
/// <param name="Count">The number of ranks, 1 or more.</param>
/// <param name="RunId">The name of the run on all ranks; fit for the name of a folder.</param>
/// <param name="Source">The origin of these numbers, for people.</param>
internal sealed record RankIdentity(int Rank, int Count, string RunId, string Source)
{
    private const int MaxCount = 10_000;

    /// <summary>Parses <c>2/6</c>: the third of six.</summary>
    public static bool TryParse(string text, out int rank, out int count)
    {
        count = 0;
        string[] halves = text.Split('/');
        return TryRead(halves[0], out rank) && halves.Length == 2 && TryRead(halves[1], out count) && AreFit(rank, count);
    }

    /// <summary>True when the rank is below the count and the count within its maximum.</summary>
    public static bool AreFit(int rank, int count) => rank >= 0 && rank < count && count <= MaxCount;

    /// <summary>The rank as the user types it.</summary>
    public override string ToString() => string.Create(CultureInfo.InvariantCulture, $"{Rank}/{Count}");

    private static bool TryRead(string text, out int number) =>
        int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out number);
}
