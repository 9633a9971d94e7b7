using System.Globalization;
using PerfTools.Hosting.Running;
using PerfTools.Reports.Users;
using PerfTools.Results.Comparison;
using PerfTools.Results.Documents;

namespace PerfTools.Verbs;

/// <summary>The ramps of a suite of users, each repeated.</summary>
/// <param name="suite">The folder of the suite.</param>
/// <param name="repeat">The number of ramps of each variant.</param>
/// <param name="host">The host of the ramps.</param>
internal sealed class RampRepeats(RunFolder suite, int repeat, RunHost host)
{
    private readonly List<FinishedVariant> _all = [], _medians = [];

    /// <summary>False for a rank that does not judge: another one owns the folders and shows the figures.</summary>
    public bool IsFirst { get; init; } = true;

    /// <summary>True when no further ramp begins after one.</summary>
    public Func<FinishedVariant, bool> IsLast { get; init; } = static _ => false;

    /// <summary>All ramps, in order.</summary>
    public IReadOnlyList<FinishedVariant> All => _all;

    /// <summary>One ramp of each variant: that of the median capacity.</summary>
    public IReadOnlyList<FinishedVariant> Medians => _medians;

    /// <summary>Carries out the ramps of a variant; a signal ends the current one and the rest.</summary>
    /// <param name="name">The name of its folder within that of the suite; several have folders in it.</param>
    /// <param name="run">Carries out a ramp in such a folder.</param>
    public void Run(string name, Func<string, FinishedVariant> run)
    {
        FinishedVariant[] runs = repeat == 1 ? [run(name)] : Repeat(name, run);
        _all.AddRange(runs);
        _medians.Add(runs.OrderBy(one => one.Document.Capacity?.Users ?? 0).ElementAt((runs.Length - 1) / 2));
        if (repeat > 1 && IsFirst)
            RunVerb.ShowSum(host.Console, runs.Select(one => suite.PathOf(one.Folder)));
    }

    private FinishedVariant[] Repeat(string name, Func<string, FinishedVariant> run)
    {
        if (IsFirst)
            ScenarioRunner.RemoveRepeats(RunFolder.Open(suite.PathOf(name), name, DateTime.UtcNow, UsersFiles.OfRamp));
        List<FinishedVariant> runs = [];
        do
            runs.Add(run(string.Create(CultureInfo.InvariantCulture, $"{name}/{RunSet.RepeatPrefix}{runs.Count + 1}")));
        while (runs.Count < repeat && !IsLast(runs[^1]) && !host.Signals.StopRequested.IsCancellationRequested);
        return [.. runs];
    }
}
