using System.Text.Json;
using PerfTools.Machine;
using PerfTools.Results.Comparison;
using PerfTools.Results.Documents;

namespace PerfTools.Search;

/// <summary>Compares two searches: whether the maximum value is better or worse, and the changes along their curves.</summary>
/// <remarks>
/// The value is compared by the intervals of the searches: where they overlap it is unchanged. A load of a curve is a
/// single run: its figures must differ by more than single runs do by chance.
/// </remarks>
internal sealed class SearchComparison
{
    // The maximum difference between loads of two curves that count as equal.
    private const double MaxLoadDifference = 0.05;
    private const double LatencyNoisePercent = 20, CpuNoisePercent = 12;
    private const double WholePercent = 100;

    /// <param name="a">The reference.</param>
    /// <param name="b">The candidate.</param>
    public SearchComparison(SearchDocument a, SearchDocument b)
    {
        (A, B) = (a, b);
        Differences = [.. Conditions.FindDifferences(ConditionsOf(a, b.Machine), ConditionsOf(b, a.Machine)),
            .. a.Placement == b.Placement || a.Placement is null || b.Placement is null
            ? Array.Empty<Difference>() : [new("placement", a.Placement, b.Placement)]];
        Capacity = CompareCapacity();
        Points = Differences.Count > 0 || a.Curve is null || b.Curve is null ? [] : [.. ComparePoints(a.Curve, b.Curve)];
    }

    public SearchDocument A { get; }
    public SearchDocument B { get; }

    /// <summary>The differences in conditions that must be equal: with any, nothing is compared.</summary>
    public IReadOnlyList<Difference> Differences { get; }

    /// <summary>The change of the maximum value.</summary>
    public SearchChange Capacity { get; }

    /// <summary>The changes at the loads that both curves have.</summary>
    public IReadOnlyList<SearchChange> Points { get; }

    /// <summary>The conditions that searches must have in common. The option that was searched is one; the value found is not.</summary>
    /// <param name="search">The search.</param>
    /// <param name="other">The machine to use for a search without one: then there is no difference.</param>
    public static Conditions ConditionsOf(SearchDocument search, MachineDescription? other = null) => Conditions.Of(new RunDocument
    {
        Scenario = search.Scenario,
        Verdict = search.Verdict,
        Reason = search.Reason,
        ExitCode = search.ExitCode,
        StartUtc = search.StartUtc,
        EndUtc = search.EndUtc,
        Inputs = search.Inputs.Where(input => input.Key != search.Asked.Over && input.Key != "rate")
            .Append(KeyValuePair.Create("asked", JsonSerializer.SerializeToElement(search.Asked with { BudgetSeconds = 0 }, SearchJson.Default.SearchRequest)))
            .ToDictionary(),
        Figures = null,
        Assertions = [],
        Roles = [],
        Links = [],
        Machine = search.Machine ?? other ?? ThisMachine.Description,
    });

    private SearchChange CompareCapacity()
    {
        (SearchCapacity a, SearchCapacity b) = (A.Capacity, B.Capacity);
        SearchChange change = new("capacity", A.Asked.Unit, null, a.Value, b.Value);
        if (Differences.Count > 0)
            return change with { Reason = "conditions differ" };
        if (a is not { Value: not null, Low: { } lowA, High: { } highA } || b is not { Value: not null, Low: { } lowB, High: { } highB })
            return change with { Reason = a.Value is null ? "A found nothing" : b.Value is null ? "B found nothing" : "an interval has no end" };
        if (!a.Confirmed || !b.Confirmed)
            return change with { Reason = $"{(a.Confirmed ? "B" : "A")} is not confirmed" };
        return change with { Word = lowB > highA ? ChangeWord.Better : highB < lowA ? ChangeWord.Worse : ChangeWord.Same };
    }

    private static IEnumerable<SearchChange> ComparePoints(SearchCurve a, SearchCurve b)
    {
        foreach (SearchPoint pointA in a.Points)
        {
            if (b.Points.FirstOrDefault(point => point.Percent == pointA.Percent) is not { } pointB)
                continue;
            string? reason = pointA.Run.Dropped is not null || pointB.Run.Dropped is not null ? "a run was dropped"
                : Math.Abs(pointB.Run.Value - pointA.Run.Value) > MaxLoadDifference * pointA.Run.Value ? "another load" : null;
            (SampleFigures? inA, SampleFigures? inB) = (pointA.Run.Figures, pointB.Run.Figures);
            yield return Compare("p50", "us", pointA.Percent, inA?.P50, inB?.P50, LatencyNoisePercent, reason);
            yield return Compare("p99", "us", pointA.Percent, inA?.P99, inB?.P99, LatencyNoisePercent, reason);
            yield return Compare("cpu", "% of one core", pointA.Percent, inA?.Roles.Sum(role => role.CpuCorePercent),
                inB?.Roles.Sum(role => role.CpuCorePercent), CpuNoisePercent, reason);
        }
    }

    private static SearchChange Compare(string name, string unit, int percent, double? a, double? b, double noise, string? reason)
    {
        SearchChange change = new(name, unit, percent, a, b) { Reason = reason ?? (a is > 0 && b is > 0 ? null : "too few samples") };
        if (change.Reason is not null)
            return change;
        double percentChange = WholePercent * ((b!.Value / a!.Value) - 1);
        return change with { Word = Math.Abs(percentChange) <= noise ? ChangeWord.Same : percentChange > 0 ? ChangeWord.Worse : ChangeWord.Better };
    }
}

/// <summary>A figure of both searches.</summary>
/// <param name="Name">capacity, p50, p99 or cpu.</param>
/// <param name="Unit">Its unit.</param>
/// <param name="AtPercent">The load, in percent of the maximum value; null for that value itself.</param>
/// <param name="A">The figure of A; null for none.</param>
/// <param name="B">The figure of B; null for none.</param>
internal sealed record SearchChange(string Name, string Unit, int? AtPercent, double? A, double? B)
{
    /// <summary>Better, worse, unchanged, or not comparable.</summary>
    public ChangeWord Word { get; init; } = ChangeWord.NotComparable;

    /// <summary>Why it is not comparable; null where it is comparable.</summary>
    public string? Reason { get; init; }

    /// <summary>B against A in percent; null where one is unknown.</summary>
    public double? ChangePercent => A is > 0 && B is { } b ? 100 * ((b / A.Value) - 1) : null;
}
