using PerfCommon.Measurement;

namespace PerfTools.Hosting.Reporting;

/// <summary>Everything a finished provider run has to say.</summary>
internal sealed record ProviderSummary
{
    /// <summary>All workers together.</summary>
    public required ProviderFigures Overall { get; init; }

    /// <summary>Each worker; sections of their own are written when there are several.</summary>
    public IReadOnlyList<ProviderFigures> Threads { get; init; } = [];

    /// <summary>Processor and memory samples of the run.</summary>
    public ResourceStatistics Resources { get; init; } = new();

    /// <summary>How the run ended.</summary>
    public RunOutcome Outcome { get; init; } = RunOutcome.Success;

    /// <summary>True with <c>-updateRate</c> above 0: lines about updates are written.</summary>
    public bool Updates { get; init; }

    /// <summary>True with <c>-genericMsgRate</c> above 0: lines about sent generic messages are written.</summary>
    public bool Generic { get; init; }

    /// <summary>True with <c>-genericMsgLatencyRate</c> above 0: lines about their stamps are written.</summary>
    public bool GenericLatencies { get; init; }

    /// <summary>Lines about the run that must stand in every summary.</summary>
    public IReadOnlyList<string> Notes { get; init; } = [];
}
