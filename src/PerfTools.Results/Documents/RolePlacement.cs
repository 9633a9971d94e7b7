using System.Globalization;
using PerfTools.Results.Files;

namespace PerfTools.Results.Documents;

/// <summary>The processors on which the workers of one role ran.</summary>
/// <param name="Role">Name of the role.</param>
/// <param name="Parts">Each processor and its part of the samples, the largest first; none where only the changes are known.</param>
/// <param name="Changes">Number of times that a worker was seen on another processor than before.</param>
/// <param name="WaitMillis">Time for which workers were ready to run and had no processor; null when unknown.</param>
internal sealed record RolePlacement(
    string Role, IReadOnlyList<(int Processor, double Percent)> Parts, long Changes, double? WaitMillis = null)
{
    private const double MinShownPercent = 5;
    private const double Whole = 100;

    /// <summary>The processors that matter, as in <c>provider 0</c> or <c>provider 0+1</c>.</summary>
    public string Text => Parts.Count == 0
        ? $"{Role} moving"
        : string.Create(CultureInfo.InvariantCulture,
            $"{Role} {string.Join('+', Parts.Where(part => part.Percent >= MinShownPercent).Select(part => part.Processor).Order())}");

    /// <summary>Every processor with its part, and the cost of changes.</summary>
    public string Details => string.Join(", ", (string[])
    [
        .. Parts.Select(part => string.Create(CultureInfo.InvariantCulture, $"processor {part.Processor} {part.Percent:F1} %")),
        string.Create(CultureInfo.InvariantCulture, $"{Changes:N0} changes"),
        .. WaitMillis is { } wait ? [string.Create(CultureInfo.InvariantCulture, $"{wait:N1} ms without a processor")] : (string[])[],
    ]);

    /// <summary>Reads the placement from a role's final line; null where it has none.</summary>
    public static RolePlacement? TryRead(RoleResult role)
    {
        JsonView placement = new JsonView(role.Final).Part("overall").Part("placement");
        (int, double)[] parts =
            [.. placement.Parts("processors").Select(part => ((int)part.Count("processor"), part.Number("percent") ?? 0))];
        return parts.Length == 0 ? null : new(role.Name, parts, placement.Count("changes"), placement.Number("waitMillis"));
    }

    /// <summary>Merges the placements of several processes of a kind, each with the same weight; null for none.</summary>
    public static RolePlacement? Merge(string name, IReadOnlyList<RolePlacement> all) => all.Count == 0 ? null : new(
        name,
        [.. all.SelectMany(one => one.Parts).GroupBy(part => part.Processor)
            .Select(parts => (parts.Key, parts.Sum(part => part.Percent) / all.Count)).OrderByDescending(part => part.Item2)],
        all.Sum(one => one.Changes));

    /// <summary>Creates the placement of one thread from its last processor and its number of changes.</summary>
    public static RolePlacement OfLastSeen(string role, long processor, long changes) =>
        new(role, changes > 0 || processor < 0 ? [] : [((int)processor, Whole)], changes);

    /// <summary>Returns the probability that both are on the same processor, from 0 to 1; null where it is not known.</summary>
    public double? OverlapWith(RolePlacement other) => Parts.Count == 0 || other.Parts.Count == 0 ? null
        : (from own in Parts join its in other.Parts on own.Processor equals its.Processor select own.Percent * its.Percent).Sum() / (Whole * Whole);
}
