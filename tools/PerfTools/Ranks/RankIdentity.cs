using System.Globalization;

namespace PerfTools.Ranks;

/// <summary>Which of several processes of one run this is; each runs the same command.</summary>
/// <param name="Rank">From 0.</param>
/// <param name="Count">Ranks of the run, 1 or more.</param>
/// <param name="RunId">What all of them call the run; fit for the name of a folder.</param>
/// <param name="Source">Who said so, for people.</param>
internal sealed record RankIdentity(int Rank, int Count, string RunId, string Source)
{
    private const int MaxCount = 10_000;

    /// <summary>Reads <c>2/6</c>: the third of six.</summary>
    public static bool TryParse(string text, out int rank, out int count)
    {
        count = 0;
        string[] halves = text.Split('/');
        return TryRead(halves[0], out rank) && halves.Length == 2 && TryRead(halves[1], out count) && AreFit(rank, count);
    }

    /// <summary>True when there can be such a rank of so many.</summary>
    public static bool AreFit(int rank, int count) => rank >= 0 && rank < count && count <= MaxCount;

    /// <summary>As it is typed.</summary>
    public override string ToString() => string.Create(CultureInfo.InvariantCulture, $"{Rank}/{Count}");

    private static bool TryRead(string text, out int number) =>
        int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out number);
}
