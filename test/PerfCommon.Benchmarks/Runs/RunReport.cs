using System.Text.Json;
using PerfTools.Results.Documents;
using PerfTools.Results.Files;

namespace PerfCommon.Benchmarks.Runs;

/// <summary>Results of one run of perftools, from its <c>run.json</c>.</summary>
internal sealed class RunReport
{
    private readonly RunDocument? _run;

    private RunReport(RunDocument? run, string reason) => (_run, Reason) = (run, reason);

    /// <summary>True when the run was complete, conserved and within 1 % of the rate.</summary>
    public bool IsOk => _run?.Verdict == RunVerdict.Ok;

    /// <summary>The reason why it is not OK.</summary>
    public string Reason { get; }

    /// <summary>Its cost after its first seconds; null when it was too short or not monitored.</summary>
    public RunWindow? Window { get; init; }

    /// <summary>Messages a second that were received.</summary>
    public double Rate => _run?.Figures?.RateReached ?? 0;

    /// <summary>Latency; null without samples.</summary>
    public RunLatency? Latency => _run?.Figures?.LatencyMicros;

    /// <summary>Figures of the images; null where there are none.</summary>
    public ImageFigures? Images => _run?.Figures?.Images;

    /// <summary>The roles, in the order in which they were started.</summary>
    public IReadOnlyList<RoleResult> Roles => _run?.Roles ?? [];

    /// <summary>Bytes of one message of TransportPerf on the wire: headers, packing and compression counted.</summary>
    public double WireBytes => Sender("bytesSent") / (double)Sender("messagesSent");

    /// <summary>Reads the file of a run.</summary>
    public static RunReport Read(string path, RunWindow? window = null)
    {
        try
        {
            RunDocument run = RunFile.Read(path);
            return new(run, run.Reason ?? run.Verdict) { Window = window };
        }
        catch (SetupException problem)
        {
            return Failed(problem.Message);
        }
    }

    /// <summary>Creates the report of a run that left no file.</summary>
    public static RunReport Failed(string reason) => new(null, reason);

    private long Sender(string counter)
    {
        JsonElement? final = Roles.FirstOrDefault(role => role.Name == _run!.Links[0].From)?.Final;
        return new JsonView(final).Count("overall.counts." + counter);
    }
}
