using PerfTools.Hosting.Reporting;
using PerfTools.Results.Documents;
using PerfTools.Search;

namespace PerfTools.Verbs;

/// <summary>The measurements of a search.</summary>
internal interface IMeasuredRuns : IDisposable
{
    /// <summary>How a run ended that was no measurement, which ends the search; null when all were.</summary>
    RunOutcome? Failure { get; }

    /// <summary>Measures a value; null when the run was interrupted, or could not be made.</summary>
    SearchSample? Measure(SearchStep step);

    /// <summary>The run of a sample.</summary>
    RunDocument Find(SearchSample sample);

    /// <summary>Ends what is still running.</summary>
    void End();
}
