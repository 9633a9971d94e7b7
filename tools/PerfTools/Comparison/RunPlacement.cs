using System.Globalization;
using PerfTools.Results;
using PerfTools.Scenarios;

namespace PerfTools.Comparison;

/// <summary>Where the two sides of a round trip ran: a sleeping pair is several times faster on one processor than on two.</summary>
/// <param name="Publisher">The publisher's processor, last seen.</param>
/// <param name="Echoer">The echoer's.</param>
/// <param name="Moves">How often either was seen on another than before.</param>
internal sealed record RunPlacement(int Publisher, int Echoer, int Moves)
{
    private const string One = "on one processor";
    private const string Two = "on two processors";
    private const string Moving = "moving between processors";

    private string Text => Moves > 0 ? Moving : Publisher == Echoer ? One : Two;

    /// <summary>Reads what the publisher noted; null where there are no round trips.</summary>
    public static RunPlacement? TryRead(RunDocument run)
    {
        JsonView final = new(run.Roles.FirstOrDefault(role => role.Name == RoleNames.Publisher)?.Final);
        return run.Figures?.RoundTrips is not null && final.Number("processor") is { } own && final.Parts("told") is [.., var echoer]
            ? new((int)own, (int)(echoer.Number("processor") ?? -1), (int)(final.Count("moves") + echoer.Count("moves"))) : null;
    }

    /// <summary>Where the sides of one run or several ran.</summary>
    public static string Describe(IReadOnlyList<RunPlacement> placements) => string.Join(", ", placements.GroupBy(one => one.Text).Select(kind =>
        kind.Count() == placements.Count ? kind.Key : string.Create(CultureInfo.InvariantCulture, $"{kind.Count()} {kind.Key}")));

    /// <summary>
    /// Why figures of the two are no comparison: all of one on one processor, all of the other on two; null where they are not so.
    /// </summary>
    public static string? FindConflict(IReadOnlyList<RunPlacement> a, IReadOnlyList<RunPlacement> b)
    {
        bool conflicts = (Are(a, One) && Are(b, Two)) || (Are(a, Two) && Are(b, One));
        return conflicts ? $"placement: A {a[0].Text} and B {b[0].Text}" : null;
    }

    private static bool Are(IReadOnlyList<RunPlacement> placements, string text) =>
        placements.Count > 0 && placements.All(one => one.Text == text);
}
