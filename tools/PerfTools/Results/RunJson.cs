using System.Globalization;
using System.Runtime.InteropServices;
using System.Text.Encodings.Web;
using System.Text.Json;
using System.Text.Json.Serialization;
using PerfCommon.Measurement;

namespace PerfTools.Results;

/// <summary>The file <c>run.json</c>: every figure of a run under a name that stays (docs/run-json.md).</summary>
internal static class RunJson
{
    private const string Format = "perftools-run-1";

    private static readonly JsonSerializerOptions Writing = new()
    {
        WriteIndented = true,
        PropertyNamingPolicy = JsonNamingPolicy.CamelCase,
        DefaultIgnoreCondition = JsonIgnoreCondition.Never,
        Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping, // a file for people and programs, never part of a web page
        NewLine = "\n",
    };

    /// <summary>Writes the file's text.</summary>
    /// <param name="scenario">The scenario's name.</param>
    /// <param name="inputs">What was asked for, name by name.</param>
    /// <param name="outcome">What came of it.</param>
    public static string Create(string scenario, IReadOnlyDictionary<string, object?> inputs, RunResult outcome) => JsonSerializer.Serialize(
        new
        {
            Format,
            Scenario = scenario,
            outcome.Verdict.Result,
            outcome.Verdict.Reason,
            ExitCode = (int)outcome.Verdict.Code,
            StartUtc = Utc(outcome.StartUtc),
            EndUtc = Utc(outcome.EndUtc),
            Inputs = inputs,
            Figures = outcome.Figures is { } figures ? Describe(figures) : null,
            Server = Describe(outcome.Server, outcome.Figures?.Server),
            Client = Describe(outcome.Client, outcome.Figures?.Client),
            Machine = new
            {
                Processors = Environment.ProcessorCount,
                OperatingSystem = RuntimeInformation.OSDescription,
                Architecture = RuntimeInformation.ProcessArchitecture.ToString(),
                Runtime = RuntimeInformation.FrameworkDescription,
            },
        },
        Writing) + "\n";

    private static object Describe(RunFigures figures) => new
    {
        figures.RateAsked,
        figures.RateReached,
        figures.SteadySeconds,
        Counts = figures.Balances.ToDictionary(b => b.Kind, b => new { b.Sent, b.Received, b.Lost, Balanced = b.IsEven }),
        figures.NotSent,
        LatencyMicros = Describe(figures.Latency),
        SendLagMicros = Describe(figures.SendLag),
        Images = figures.Images is { } images ? new { images.Count, images.Seconds } : null,
    };

    private static object? Describe(LatencyFigures latency) => latency.Count == 0 ? null : new
    {
        latency.Count,
        latency.Average,
        latency.Deviation,
        latency.Min,
        latency.Max,
        latency.P50,
        latency.P90,
        latency.P99,
        latency.P999,
        latency.P9999,
    };

    private static object? Describe(RoleOutcome? role, RoleFigures? figures) => role is null ? null : new
    {
        role.Role,
        role.Command,
        role.ExitCode,
        figures?.CpuCorePercent,
        figures?.MemoryMegabytes,
        role.Final,
    };

    private static string Utc(DateTime time) => time.ToString("yyyy-MM-dd'T'HH:mm:ss.fff'Z'", CultureInfo.InvariantCulture);
}
