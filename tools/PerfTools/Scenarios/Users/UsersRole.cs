using System.Text.Json;
using PerfCommon.Measurement;
using PerfTools.Hosting.Options;
using PerfTools.Results.Documents;
using PerfTools.Results.Files;
using PerfTools.Results.Merging;
using PerfTools.Results.Recorded;

namespace PerfTools.Scenarios.Users;

/// <summary>One process of a ramp, and its JSON lines so far.</summary>
/// <param name="name">Its name in run.json.</param>
/// <param name="tool">Its program.</param>
/// <param name="folder">The folder of its files.</param>
/// <param name="files">Their names there.</param>
internal sealed class UsersRole(string name, string tool, string folder, RoleFiles files)
{
    private readonly List<JsonElement> _all = [];
    private readonly JsonLinesReader _lines = new(ResultFile.PathIn(folder, files.JsonLines));

    /// <summary>Creates the role of a process that writes into a folder under its name.</summary>
    public UsersRole(string name, string tool, RunFolder folder)
        : this(name, tool, folder.FullPath, new($"{name}.log", $"{name}.jsonl", name))
    {
    }

    public string Name => name;
    public string Tool => tool;
    public RoleFiles Files => files;

    /// <summary>The time that is subtracted from what its clock says, so that it is that of rank 0.</summary>
    public TimeSpan ClockShift { get; init; }

    /// <summary>All JSON lines that were read.</summary>
    public IReadOnlyList<JsonElement> All => _all;

    /// <summary>The last line, and the last with every figure; null before each.</summary>
    public JsonElement? Last => _lines.Last;
    public JsonElement? Final => _lines.Final;

    /// <summary>How the process says that it ended; null before its last line.</summary>
    public string? Outcome => Final is { } final ? new JsonView(final).Text("exitReason") : null;

    /// <summary>True once its users can log in at their time.</summary>
    public bool IsReady => _all.Exists(line => new JsonView(line).IsTrue("ready"));

    /// <summary>Its collections.</summary>
    public IReadOnlyList<RoleInterval> Intervals =>
        [.. _all.Select(RoleInterval.TryRead).OfType<RoleInterval>().Select(interval => interval with { Utc = interval.Utc - ClockShift })];

    /// <summary>The last collection; null before the first.</summary>
    public RoleInterval? LastInterval
    {
        get
        {
            for (int i = _all.Count - 1; i >= 0; i--)
            {
                if (RoleInterval.TryRead(_all[i]) is { } last)
                    return last;
            }

            return null;
        }
    }

    /// <summary>The arguments that name its files.</summary>
    public string[] FileArguments =>
    [
        "-writeStatsInterval", "1", "-statsFile", PathOf($"{name}-Stats"), "-summaryFile", PathOf($"{name}-Summary.out"),
        "-jsonFile", PathOf(files.JsonLines), "-hlogFile", PathOf(files.Histograms),
    ];

    /// <summary>Reads the lines added since the last call.</summary>
    public IReadOnlyList<JsonElement> Read()
    {
        IReadOnlyList<JsonElement> lines = _lines.ReadNew();
        _all.AddRange(lines);
        return lines;
    }

    /// <summary>Reads all lines of a process that has ended.</summary>
    /// <exception cref="PerfCommon.SetupException">A line is invalid (exit code 3).</exception>
    public void ReadToEnd() => _all.AddRange(_lines.ReadWhole(FindProblem));

    private static string? FindProblem(JsonElement line)
    {
        JsonView period = new(line);
        if (period.Number("step") is not { } step)
            return null;
        bool canBe = step >= 1 && step <= StepList.MaxSteps && period.Number("users") is >= 0 and <= StepList.MaxUsers
            && period.Number("seconds") is > 0 and <= ResultTime.MaxSeconds && ResultTime.TryRead(period.Text("utc"), out _);
        return canBe ? null : "a step that cannot be: its number, time, seconds or users";
    }

    /// <summary>Reads the measurements of its users.</summary>
    /// <param name="withSamples">False omits the samples, which are read again each time.</param>
    public UsersPart ReadPart(bool withSamples) => new(
        [.. _all.Select(line => new JsonView(line)).Where(line => line.Number("step") is not null)], withSamples ? ReadSamples("steps") : [],
        Final is not null)
    { ClockShift = ClockShift };

    /// <summary>True once the period of a name, which was asked for while it ran, is over.</summary>
    public bool HasPeriod(string name) => _all.Exists(line => new JsonView(line).Text("period") == name);

    /// <summary>What it has measured of its users in a period that was asked for while it ran; none before the period is over.</summary>
    public UsersPart ReadPeriod(string name)
    {
        JsonView[] all = [.. _all.Select(line => new JsonView(line)).Where(line => line.Text("period") is not null)];
        int index = Array.FindIndex(all, line => line.Text("period") == name);
        return index < 0 ? new([], [], false) : new([all[index]], [.. ReadSamples("periods").Skip(index).Take(1)], false);
    }

    private List<LongHistogram> ReadSamples(string log) =>
        [.. ResultLog.Read(PathOf($"{files.Histograms}-{log}.hlog")).Select(interval => interval.Histogram)];

    private string PathOf(string file) => ResultFile.PathIn(folder, file);
}
