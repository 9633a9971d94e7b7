using PerfTools.Hosting.Reporting;
using PerfTools.Results.Documents;
using PerfTools.Search;

namespace PerfTools.Verbs;

/// <summary>The measurements of a search.</summary>
internal interface IMeasuredRuns : IDisposable
{
    /// <summary>The outcome of a run that was no measurement, which ends the search; null when there was none.</summary>
    RunOutcome? Failure { get; }

    /// <summary>Measures a value; null when the run was interrupted, or failed.</summary>
    SearchSample? Measure(SearchStep step);

    /// <summary>Finds the run of a sample.</summary>
    RunDocument Find(SearchSample sample);

    /// <summary>Ends the programs that still run.</summary>
    void End();
}
