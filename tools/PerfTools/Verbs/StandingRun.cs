using System.Text.Json;
using PerfCommon;
using PerfTools.Control;
using PerfTools.Machine;
using PerfTools.Results.Documents;
using PerfTools.Results.Files;
using PerfTools.Results.Recorded;
using PerfTools.Scenarios;
using PerfTools.Search;

namespace PerfTools.Verbs;

/// <summary>One long run whose rate is changed repeatedly, so that images are retrieved once.</summary>
/// <param name="scenario">The scenario.</param>
/// <param name="options">The options of the whole run: its seconds bound its duration.</param>
/// <param name="folder">Its folder.</param>
/// <param name="make">Carries out the run, on a separate thread.</param>
internal sealed class StandingRun(Scenario scenario, ScenarioOptions options, RunFolder folder, Func<ScenarioOptions, RunFolder, FinishedRun> make)
    : IDisposable
{
    private const int LookMillis = 50;

    private readonly ControlClient _client = new();
    private readonly FigureReader _figures = new(scenario, options);
    private readonly Dictionary<string, JsonLinesReader> _lines =
        scenario.RolesOf(options).ToDictionary(role => role.Name, role => new JsonLinesReader(folder.PathOf(role.JsonFile)));

    private readonly List<RoleInterval> _measured = [];
    private readonly Task<FinishedRun> _run =
        Task.Factory.StartNew(() => make(options, folder), CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default);

    private bool _isMeasuring;

    /// <summary>The run when it has ended.</summary>
    public FinishedRun? Ended => _run.IsCompleted ? _run.GetAwaiter().GetResult() : null;

    private string Measuring => scenario.Figures.Measured.MeasuredBy[0];

    /// <summary>Sets a rate and measures it from the first whole collection after the change; null when the run ended meanwhile.</summary>
    /// <param name="asked">The options of this measurement: rate, seconds, thresholds.</param>
    /// <exception cref="SetupException">The sender cannot be reached, or refuses.</exception>
    public RunDocument? Measure(ScenarioOptions asked)
    {
        if (!WaitUntil(() => _isMeasuring))
            return null;
        Set(scenario.Figures.Measured.Sender, FormattableString.Invariant($"rate={asked.Rate}"));
        DateTime set = DateTime.UtcNow;
        MachineLoad load = new();
        double usedBefore = RolesCpuSeconds();
        RoleInterval[] Whole() => [.. _measured.Where(interval => interval.Utc.AddSeconds(-interval.Seconds) >= set)];
        if (!WaitUntil(() => Whole().Sum(interval => interval.Seconds) >= asked.Seconds - (LookMillis / 1_000.0)))
            return null;
        double? foreign = 100 * load.ForeignShare(RolesCpuSeconds() - usedBefore);
        RoleInterval[] measured = Whole();
        return new StandingReader(scenario, asked, folder.FullPath).Read(
            measured[0].Utc.AddSeconds(-measured[0].Seconds), measured[^1].Utc, foreign);
    }

    /// <summary>Ends the run in an orderly way and waits for it.</summary>
    public FinishedRun End()
    {
        try
        {
            if (!_run.IsCompleted)
                Set(Measuring, "end=now");
        }
        catch (SetupException)
        {
            // a role that does not answer ends with its run time, or has ended
        }

        return _run.GetAwaiter().GetResult();
    }

    public void Dispose() => _client.Dispose();

    // Tries once more where the role was too busy to answer.
    private void Set(string role, string value)
    {
        ControlledRole found = ControlledRole.FindIn(folder.FullPath).FirstOrDefault(one => one.Name == role)
            ?? throw new SetupException(SetupProblem.NotStarted, $"{role}: takes no changes");
        try
        {
            _client.Request(found, [value]);
        }
        catch (SetupException)
        {
            _client.Request(found, [value]);
        }
    }

    private double RolesCpuSeconds() => _lines.Values.Sum(role => new JsonView(role.Last).Number("process.cpuSeconds") ?? 0);

    // False when the run has ended.
    private bool WaitUntil(Func<bool> isReached)
    {
        while (!_run.Wait(LookMillis))
        {
            Look();
            if (isReached())
                return true;
        }

        return false;
    }

    private void Look()
    {
        foreach ((string role, JsonLinesReader lines) in _lines)
        {
            foreach (JsonElement line in lines.ReadNew())
            {
                if (role == Measuring && RoleInterval.TryRead(line) is { } interval)
                {
                    _measured.Add(interval);
                    _isMeasuring |= _figures.ReadProgress(line, []).IsMeasuring;
                }
            }
        }
    }
}
