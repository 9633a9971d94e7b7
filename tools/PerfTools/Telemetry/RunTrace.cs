using System.Diagnostics;
using OpenTelemetry;
using OpenTelemetry.Exporter;
using OpenTelemetry.Resources;
using OpenTelemetry.Trace;
using PerfTools.Hosting.CommandLine;
using PerfTools.Hosting.Options;
using PerfTools.Hosting.Reporting;
using PerfTools.Hosting.Telemetry;
using PerfTools.Processes;
using PerfTools.Results.Documents;
using PerfTools.Results.Recorded;

namespace PerfTools.Telemetry;

/// <summary>Sends a completed run as a trace: a span for the run, and within it one for each phase.</summary>
internal static class RunTrace
{
    private const string SourceName = "PerfTools";
    private const string Tool = "perftools";

    /// <summary>Sends the trace, where the options name a collector.</summary>
    /// <param name="options">The options with the collector.</param>
    /// <param name="folder">The folder of the run, complete.</param>
    /// <returns>Why it did not arrive, as a sentence; null when it arrived, or when there is no collector.</returns>
    public static string? TrySend(OtlpOptions options, string folder)
    {
        if (options.Endpoint is not { } endpoint)
            return null;
        RecordedRun run = RecordedRun.Read(folder);
        using OtlpTraceExporter exporter = new(OtlpTarget.ForTraces(options));
        using ActivitySource source = new(SourceName);
        using RetainedSpans kept = new(exporter, source);
        using TracerProvider provider = Sdk.CreateTracerProviderBuilder()
            .SetResourceBuilder(OtlpTarget.Describe(Tool, ProgramVersion.Of(typeof(RunTrace).Assembly)).AddAttributes(
                RunAttributes.Of(folder, run.Document.Scenario).Select(attribute => new KeyValuePair<string, object>(attribute.Name, attribute.Value))))
            .AddSource(SourceName)
            .SetSampler(new AlwaysOnSampler())
            .AddProcessor(kept)
            .Build();
        Write(source, run.Document, RunPhases.Find(run.Document, run.Roles));
        return kept.Send() ? null : $"OpenTelemetry: {endpoint.OriginalString}: the trace of the run was not accepted in time";
    }

    private static void Write(ActivitySource source, RunDocument run, IReadOnlyList<RunSpan> phases)
    {
        Activity? whole = source.StartActivity($"run {run.Scenario}", ActivityKind.Internal, default(ActivityContext), startTime: run.StartUtc);
        whole?.SetTag("perftools.verdict", run.Verdict).SetTag("perftools.exit_code", run.ExitCode)
            .SetStatus(run.ExitCode == (int)ExitCode.Success ? ActivityStatusCode.Ok : ActivityStatusCode.Error, run.Reason);
        foreach (RunSpan phase in phases)
        {
            using Activity? part = source.StartActivity(phase.Name, ActivityKind.Internal, whole?.Context ?? default, startTime: phase.From);
            part?.SetEndTime(phase.To);
        }

        whole?.SetEndTime(run.EndUtc).Stop();
    }

    // Sends all spans of one source in one message, at the end.
    private sealed class RetainedSpans(OtlpTraceExporter to, ActivitySource source) : BaseExportProcessor<Activity>(to)
    {
        private readonly List<Activity> _ended = [];

        protected override void OnExport(Activity data)
        {
            if (data.Source == source)
                _ended.Add(data);
        }

        public bool Send()
        {
            using Batch<Activity> batch = new([.. _ended], _ended.Count);
            return exporter.Export(batch) == ExportResult.Success;
        }
    }
}
