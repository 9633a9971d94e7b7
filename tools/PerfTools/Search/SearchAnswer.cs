namespace PerfTools.Search;

/// <summary>Why a search ended.</summary>
internal enum SearchEnd
{
    /// <summary>The answer is known as well as was asked.</summary>
    Found,

    /// <summary>The budget ended first.</summary>
    Budget,

    /// <summary>A signal.</summary>
    Interrupted,

    /// <summary>Every repeat of a run was disturbed.</summary>
    Disturbed,
}

/// <summary>What is known when a search ends.</summary>
internal sealed record SearchAnswer
{
    /// <summary>That of a search that has not begun.</summary>
    public static SearchAnswer Nothing { get; } = new()
    {
        Value = null,
        IsConfirmed = false,
        Kept = null,
        Missed = null,
        Interval = new(null, null),
        End = SearchEnd.Interrupted,
        Samples = [],
        Dropped = [],
        Seconds = 0,
    };

    /// <summary>The capacity; null when no value was kept.</summary>
    public required int? Value { get; init; }

    /// <summary>True when three runs in a row kept it.</summary>
    public required bool IsConfirmed { get; init; }

    /// <summary>The greatest value kept; null for none.</summary>
    public required int? Kept { get; init; }

    /// <summary>The least value missed; null for none.</summary>
    public required int? Missed { get; init; }

    /// <summary>Between which values the capacity lies.</summary>
    public required CapacityInterval Interval { get; init; }

    public required SearchEnd End { get; init; }

    /// <summary>The measurements that count, in order.</summary>
    public required IReadOnlyList<SearchSample> Samples { get; init; }

    /// <summary>Those that were dropped, each with its disturbance.</summary>
    public required IReadOnlyList<SearchSample> Dropped { get; init; }

    /// <summary>How roles shared processors where the answer was measured; null where it is not known.</summary>
    public string? Placement { get; init; }

    /// <summary>The time of all measurements.</summary>
    public required double Seconds { get; init; }

    /// <summary>All measurements, those that were dropped too, in order.</summary>
    public IEnumerable<SearchSample> All => Samples.Concat(Dropped).OrderBy(sample => sample.Number);

    /// <summary>The measurement that tells what the limit was: the first of the least value missed; null when none was.</summary>
    public SearchSample? FirstMiss => Samples.FirstOrDefault(sample => !sample.IsKept && sample.Value == Missed);
}
