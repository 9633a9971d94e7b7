using System.Globalization;
using PerfTools.Hosting.Reporting;
using PerfTools.Hosting.Running;
using PerfTools.Ranks;

namespace PerfTools.Scenarios;

/// <summary>Runs round-trip tests one after another, and shows their sizes side by side with the cost of each layer.</summary>
internal static class RoundtripRun
{
    /// <summary>
    /// Runs the test of every requested transport, each in a separate folder where there are several, after a baseline where one is needed. A test
    /// that is slow or fails does not stop the next ones; the first such test determines the outcome.
    /// </summary>
    /// <param name="options">The options.</param>
    /// <param name="host">The host that shows messages.</param>
    /// <param name="runOnce">Runs one test; null where no further one begins.</param>
    /// <param name="writeReport">Writes one report of all tests in a folder, returns why it could not be written; null where another rank writes it.</param>
    public static RunOutcome Run(
        ScenarioOptions options, RunHost host, Func<ScenarioOptions, RunOutcome?> runOnce, Func<string, string?>? writeReport)
    {
        string root = options.Out
            ?? Path.Combine("runs", DateTime.UtcNow.ToString("yyyyMMdd-HHmmss", CultureInfo.InvariantCulture) + "-roundtrip");
        RoundtripOptions asked = options.Roundtrip;
        bool isSingle = !asked.IsSeveralRuns;
        List<(string Transport, IReadOnlyList<SizedTimes> Sizes)> done = [];
        RunOutcome all = RunOutcome.Success;
        foreach (string transport in asked.Transports)
        {
            RoundtripOptions one = asked with { Transports = [transport] };
            string folder = isSingle ? root : Path.Combine(root, transport);
            if (RunOne(options with { Roundtrip = one, Out = folder }, runOnce) is not { } outcome)
                break;
            if (writeReport is not null && SizedTimes.Read(folder) is [_, ..] sizes)
                done.Add((transport, sizes));
            if (all.Code == ExitCode.Success)
                all = outcome;
            if (outcome.Code.IsOfSignal())
                break;
        }

        foreach (string line in RoundtripTable.Create(done))
            host.Console.WriteLine(line);
        return done.Count > 1 ? all.WithUnwritten(writeReport!(root)) : all;
    }

    private static RunOutcome? RunOne(ScenarioOptions options, Func<ScenarioOptions, RunOutcome?> runOnce)
    {
        RoundtripOptions asked = options.Roundtrip;
        if (!asked.NeedsBaseline)
            return runOnce(options);
        string baseline = options.Out + "-baseline";
        RoundtripOptions single = asked with { Subscribers = 1, OneWay = false };
        IEnumerable<string> others = RoundtripScenario.Roundtrip.RolesOf(options).Skip(2).Select(role => role.Name);
        RankOptions ranks = options.Ranks with { Place = options.Ranks.Place?.Without(others) };
        RunOutcome? first = runOnce(options with { Out = baseline, Roundtrip = single, Ranks = ranks, Thresholds = [] });
        if (first is not { Code: ExitCode.Success or ExitCode.AssertionMissed }) // one that lost messages is a baseline, too: of ranks only the first knows
            return first;
        RunOutcome? test = runOnce(
            options with { Roundtrip = asked with { Baseline = Path.GetFullPath(Path.Combine(baseline, RoundtripScenario.PublisherFile)) } });
        return first.Code == ExitCode.Success ? test ?? first : first;
    }
}
