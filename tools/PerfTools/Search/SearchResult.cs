using System.Globalization;
using PerfTools.Hosting.Reporting;
using PerfTools.Results.Documents;

namespace PerfTools.Search;

/// <summary>The words for the outcome of a search.</summary>
internal static class SearchVerdict
{
    /// <summary>The capacity is confirmed, and a greater value was missed.</summary>
    public const string Found = "FOUND";

    /// <summary>A value is confirmed, and no greater one was missed.</summary>
    public const string AtLeast = "AT LEAST";

    /// <summary>The budget or the machine ended the search before three runs in a row kept a value.</summary>
    public const string Unconfirmed = "UNCONFIRMED";

    /// <summary>No value kept the thresholds.</summary>
    public const string None = "NONE";
}

/// <summary>A completed search: its options, its answer, its verdict.</summary>
internal sealed record SearchResult
{
    /// <summary>The subject of the search.</summary>
    public required SearchSubject Subject { get; init; }

    public required SearchOptions Search { get; init; }

    public required SearchAnswer Answer { get; init; }

    /// <summary>The load curve; null where it was not requested, or no value was found to measure it from.</summary>
    public LoadCurve? Curve { get; init; }

    /// <summary>The same with latency from the other time, sent or due; null where it was not requested.</summary>
    public LoadCurve? OtherCurve { get; init; }

    public required DateTime StartUtc { get; init; }

    public required DateTime EndUtc { get; init; }

    /// <summary>The last run that counts for the answer, for machine and placement; null when there is none.</summary>
    public RunDocument? Run { get; init; }

    /// <summary>The outcome of a run that was no measurement; null when there was none.</summary>
    public RunOutcome? Failure { get; init; }

    public string Verdict => Failure is { } failure ? failure.Code.IsOfSignal() ? RunVerdict.Interrupted : RunVerdict.Failed
        : Answer switch
        {
            { IsConfirmed: true, Missed: null } => SearchVerdict.AtLeast,
            { IsConfirmed: true } => SearchVerdict.Found,
            { Value: null, End: SearchEnd.Found } => SearchVerdict.None,
            _ => SearchVerdict.Unconfirmed,
        };

    /// <summary>The exit code of the program, and its reason.</summary>
    public RunOutcome Outcome => Verdict switch
    {
        SearchVerdict.Found or SearchVerdict.AtLeast => RunOutcome.Success,
        SearchVerdict.None => new(ExitCode.AssertionMissed, $"{Start}: {Reason}"),
        SearchVerdict.Unconfirmed => new(ExitCode.Incomplete, $"{Start}: {Reason}"),
        _ => Failure! with { Reason = $"{Start}: {Failure.Reason}" },
    };

    /// <summary>Why no value was found, or not with the requested precision; null when it was found.</summary>
    public string? Reason => Verdict switch
    {
        SearchVerdict.Found => null,
        SearchVerdict.AtLeast when Answer.End == SearchEnd.Budget => $"the budget of {Search.Budget} ended before a value was missed",
        SearchVerdict.AtLeast => "no greater value is tried",
        SearchVerdict.None => string.Create(CultureInfo.InvariantCulture,
            $"no value kept {Search.UntilText}, down to {Answer.Missed:N0}: {Answer.FirstMiss?.Reason}"),
        SearchVerdict.Unconfirmed when Answer.End == SearchEnd.Disturbed => $"all repeats were disturbed: {Answer.Dropped[^1].Disturbance}",
        SearchVerdict.Unconfirmed => $"the budget of {Search.Budget} ended before three runs in a row kept a value",
        _ => Failure!.Reason,
    };

    private string Start => $"search {Subject.Name}";
}
