using PerfTools.Hosting.Reporting;
using PerfTools.Results.Documents;
using PerfTools.Scenarios;
using PerfTools.Search;
using Xunit;

namespace Tools.Tests.PerfToolsTests.Search;

/// <summary>How a search ends: its word, its exit code and its reason, for each end with and without a value.</summary>
[Trait("Category", "Fast")]
public class SearchResultTests
{
    private const string NotThreeInARow = "the budget of 5m ended before three runs in a row kept a value";

    private static readonly SearchSample Miss = new() { Number = 3, Value = 1_030, IsKept = false, Reason = "p99<1ms: p99 is 2ms" };
    private static readonly SearchSample Dropped = new() { Number = 4, Value = 1_030, IsKept = false, Disturbance = "machine busy" };

    // The end, the value, whether it is confirmed, the least value missed; the word, the exit code, the reason.
    private static readonly (SearchEnd End, int? Value, bool IsConfirmed, int? Missed, string Word, ExitCode Code, string? Reason)[] Rows =
    [
        (SearchEnd.Found, 1_000, true, 1_030, SearchVerdict.Found, ExitCode.Success, null),
        (SearchEnd.Found, 1_000, true, null, SearchVerdict.AtLeast, ExitCode.Success, "no greater value is tried"),
        (SearchEnd.Found, null, false, 1_030, SearchVerdict.None, ExitCode.AssertionMissed,
            "no value kept p99<1ms, lost<1, notSent<1, down to 1,030: p99<1ms: p99 is 2ms"),
        (SearchEnd.Found, 1_000, false, 1_030, SearchVerdict.Unconfirmed, ExitCode.Incomplete, NotThreeInARow),
        (SearchEnd.Budget, 1_000, true, 1_030, SearchVerdict.Found, ExitCode.Success, null),
        (SearchEnd.Budget, 1_000, true, null, SearchVerdict.AtLeast, ExitCode.Success, "the budget of 5m ended before a value was missed"),
        (SearchEnd.Budget, 1_000, false, 1_030, SearchVerdict.Unconfirmed, ExitCode.Incomplete, NotThreeInARow),
        (SearchEnd.Budget, null, false, 1_030, SearchVerdict.Unconfirmed, ExitCode.Incomplete, NotThreeInARow),
        (SearchEnd.Disturbed, 1_000, true, 1_030, SearchVerdict.Found, ExitCode.Success, null),
        (SearchEnd.Disturbed, 1_000, false, 1_030, SearchVerdict.Unconfirmed, ExitCode.Incomplete, "all repeats were disturbed: machine busy"),
        (SearchEnd.Disturbed, null, false, null, SearchVerdict.Unconfirmed, ExitCode.Incomplete, "all repeats were disturbed: machine busy"),
        (SearchEnd.Interrupted, 1_000, true, 1_030, SearchVerdict.Found, ExitCode.Success, null),
    ];

    [Fact]
    public void Verdict_OfEachEnd_HasItsWordItsCodeAndItsReason()
    {
        Assert.Equal(Enum.GetValues<SearchEnd>(), Rows.Select(row => row.End).Distinct().Order()); // a new end wants a row
        foreach ((SearchEnd end, int? value, bool isConfirmed, int? missed, string word, ExitCode code, string? reason) in Rows)
        {
            SearchResult result = Of(SearchAnswer.Nothing with
            {
                End = end,
                Value = value,
                IsConfirmed = isConfirmed,
                Missed = missed,
                Samples = [Miss],
                Dropped = [Dropped],
            });
            Assert.Equal((end, word, code, reason), (end, result.Verdict, result.Outcome.Code, result.Reason));
            if (code != ExitCode.Success)
                Assert.Equal($"search direct: {reason}", result.Outcome.Reason);
        }
    }

    /// <summary>A run that was no measurement ends the search with its own code, whatever was found.</summary>
    [Theory]
    [InlineData(ExitCode.Interrupted, RunVerdict.Interrupted)]
    [InlineData(ExitCode.Terminated, RunVerdict.Interrupted)]
    [InlineData(ExitCode.HungUp, RunVerdict.Interrupted)]
    [InlineData(ExitCode.NotStarted, RunVerdict.Failed)]
    [InlineData(ExitCode.InternalError, RunVerdict.Failed)]
    internal void Verdict_OfARunThatWasNoMeasurement_IsThatOfTheRun(ExitCode code, string word)
    {
        SearchResult result = Of(SearchAnswer.Nothing with { Value = 1_000, IsConfirmed = true, Missed = 1_030 }) with { Failure = new(code, "why") };
        Assert.Equal((word, code, "why", "search direct: why"), (result.Verdict, result.Outcome.Code, result.Reason, result.Outcome.Reason));
    }

    /// <summary>The limit is shown by the first run that missed the least value.</summary>
    [Fact]
    public void FirstMiss_OfAnAnswer_IsTheFirstOfTheLeastValueMissed()
    {
        SearchSample kept = Miss with { Number = 1, IsKept = true }, other = Miss with { Number = 2, Value = 2_000 }, second = Miss with { Number = 5 };
        SearchAnswer answer = SearchAnswer.Nothing with { Missed = 1_030, Samples = [kept, other, Miss, second], Dropped = [Dropped] };
        Assert.Same(Miss, answer.FirstMiss);
        Assert.Null((answer with { Missed = null }).FirstMiss);
        Assert.Equal([1, 2, 3, 4, 5], answer.All.Select(sample => sample.Number));
    }

    private static SearchResult Of(SearchAnswer answer) => new()
    {
        Subject = SearchSubject.Of(DirectScenario.Direct, new(), new()),
        Search = new(),
        Answer = answer,
        StartUtc = default,
        EndUtc = default,
    };
}
