using System.Text.Json;
using PerfCommon.Measurement;
using PerfTools.Results;

namespace PerfTools.Scenarios.Users;

/// <summary>One process of a ramp, and what it has written so far.</summary>
/// <param name="name">Its name in run.json.</param>
/// <param name="tool">Its program.</param>
/// <param name="folder">Where its files are.</param>
/// <param name="files">Their names there.</param>
internal sealed class UsersRole(string name, string tool, string folder, RoleFiles files)
{
    public const string HubTool = "HubPerf";
    public const string SourceTool = "NIProvPerf";
    public const string UsersTool = "UsersPerf";

    private readonly List<JsonElement> _all = [];
    private readonly JsonLinesReader _lines = new(Path.Combine(folder, files.JsonLines));

    /// <summary>A process that writes into a folder under its own name.</summary>
    public UsersRole(string name, string tool, RunFolder folder)
        : this(name, tool, folder.FullPath, new($"{name}.log", $"{name}.jsonl", name))
    {
    }

    public string Name => name;
    public string Tool => tool;
    public RoleFiles Files => files;

    /// <summary>All JSON lines that were read.</summary>
    public IReadOnlyList<JsonElement> All => _all;

    /// <summary>The last of them, and the one with every figure; null before each.</summary>
    public JsonElement? Last => _lines.Last;
    public JsonElement? Final => _lines.Final;

    /// <summary>True once its users log in as soon as their time has come.</summary>
    public bool IsReady => _all.Exists(line => new JsonView(line).IsTrue("ready"));

    /// <summary>Its collections.</summary>
    public IReadOnlyList<RoleInterval> Intervals => [.. _all.Select(RoleInterval.TryRead).OfType<RoleInterval>()];

    /// <summary>Where it writes.</summary>
    public string[] FileArguments =>
    [
        "-writeStatsInterval", "1", "-statsFile", PathOf($"{name}-Stats"), "-summaryFile", PathOf($"{name}-Summary.out"),
        "-jsonFile", PathOf(files.JsonLines), "-hlogFile", PathOf(files.Histograms),
    ];

    /// <summary>Takes the lines that have come since the last call.</summary>
    public void Read() => _all.AddRange(_lines.ReadNew());

    /// <summary>What it has measured of its users.</summary>
    /// <param name="withSamples">False leaves the samples out, which are read again each time.</param>
    public UsersPart ReadPart(bool withSamples) => new(
        [.. _all.Select(line => new JsonView(line)).Where(line => line.Number("step") is not null)], withSamples ? ReadSamples() : [],
        Final is not null);

    // One that was cut ends with its last whole line.
    private List<LongHistogram> ReadSamples()
    {
        string path = PathOf($"{files.Histograms}-steps.hlog");
        List<LongHistogram> samples = [];
        try
        {
            foreach (HistogramLogInterval interval in File.Exists(path) ? HistogramLogReader.ReadFile(path) : [])
                samples.Add(interval.Histogram);
        }
        catch (HistogramFormatException)
        {
            // those before it are whole
        }

        return samples;
    }

    private string PathOf(string file) => Path.Combine(folder, file);
}

/// <summary>What one process with users has measured.</summary>
/// <param name="Periods">The line of each period.</param>
/// <param name="Samples">Their samples in the same order; fewer where the log was cut.</param>
/// <param name="IsWhole">False when the process did not come to its end.</param>
internal sealed record UsersPart(IReadOnlyList<JsonView> Periods, IReadOnlyList<LongHistogram> Samples, bool IsWhole);
