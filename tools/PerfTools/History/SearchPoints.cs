using PerfCommon;
using PerfTools.Results.Comparison;
using PerfTools.Results.History;
using PerfTools.Search;

namespace PerfTools.History;

/// <summary>Reads searches as points of a history: the value that each found, with its interval.</summary>
internal static class SearchPoints
{
    /// <summary>The reader of searches for a history; a search is one point, and its runs are no further points.</summary>
    public static OtherPoints All { get; } = new(SearchFile.IsIn, Read);

    /// <summary>Reads the search of a folder.</summary>
    /// <exception cref="SetupException">It cannot be read (exit code 3).</exception>
    public static HistoryRun Read(string folder)
    {
        SearchDocument search = SearchFile.Read(folder);
        return new()
        {
            Folder = folder,
            Scenario = $"search {search.Scenario}",
            StartUtc = search.StartUtc,
            Verdict = search.Verdict,
            ToolsVersion = search.Machine?.ToolsVersion,
            Commit = search.Machine?.Commit,
            Conditions = SearchComparison.ConditionsOf(search),
            Placement = search.Placement ?? "",
            Values = search.Capacity is { Value: { } value, Low: { } low, High: { } high } && value > 0
                ? [new(ComparedFigure.OfCapacity(search.Asked.Unit), value) { Interval = (low, high) }] : [],
            Problem = search.Verdict == SearchVerdict.Found ? null : search.Verdict,
            IsSearch = true,
        };
    }
}
