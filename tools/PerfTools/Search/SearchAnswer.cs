namespace PerfTools.Search;

/// <summary>The reason for the end of a search.</summary>
internal enum SearchEnd
{
    /// <summary>The answer has the requested precision.</summary>
    Found,

    /// <summary>The budget was used up.</summary>
    Budget,

    /// <summary>A signal interrupted it.</summary>
    Interrupted,

    /// <summary>Every repeat of a run was disturbed.</summary>
    Disturbed,
}

/// <summary>The knowledge at the end of a search.</summary>
internal sealed record SearchAnswer
{
    /// <summary>The answer of a search that has not begun.</summary>
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

    /// <summary>The maximum value kept; null for none.</summary>
    public required int? Kept { get; init; }

    /// <summary>The minimum value missed; null for none.</summary>
    public required int? Missed { get; init; }

    /// <summary>The interval of the capacity.</summary>
    public required CapacityInterval Interval { get; init; }

    public required SearchEnd End { get; init; }

    /// <summary>The measurements that count, in order.</summary>
    public required IReadOnlyList<SearchSample> Samples { get; init; }

    /// <summary>The dropped measurements, each with its disturbance.</summary>
    public required IReadOnlyList<SearchSample> Dropped { get; init; }

    /// <summary>How roles shared processors where the answer was measured; null where unknown.</summary>
    public string? Placement { get; init; }

    /// <summary>The time of all measurements.</summary>
    public required double Seconds { get; init; }

    /// <summary>All measurements, including the dropped ones, in order.</summary>
    public IEnumerable<SearchSample> All => Samples.Concat(Dropped).OrderBy(sample => sample.Number);

    /// <summary>The measurement that shows the limit: the first of the minimum value missed; null when none was missed.</summary>
    public SearchSample? FirstMiss => Samples.FirstOrDefault(sample => !sample.IsKept && sample.Value == Missed);
}
