using PerfCommon.Measurement;

namespace PerfTools.Hosting.Reporting;

/// <summary>Everything a finished consumer run has to say.</summary>
internal sealed record ConsumerSummary
{
    /// <summary>All workers together, by the images of all of them.</summary>
    public required ConsumerFigures Overall { get; init; }

    /// <summary>Each worker; sections of their own are written when there are several.</summary>
    public IReadOnlyList<ConsumerFigures> Threads { get; init; } = [];

    /// <summary>Processor and memory samples of the run.</summary>
    public ResourceStatistics Resources { get; init; } = new();

    /// <summary>How the run ended.</summary>
    public RunOutcome Outcome { get; init; } = RunOutcome.Success;

    /// <summary>True with <c>-postingRate</c> above 0: lines about posts are written.</summary>
    public bool Posts { get; init; }

    /// <summary>True with <c>-postingLatencyRate</c> above 0: lines about their latency are written.</summary>
    public bool PostLatencies { get; init; }

    /// <summary>True with <c>-genericMsgRate</c> above 0: lines about sent generic messages are written.</summary>
    public bool Generic { get; init; }

    /// <summary>True with <c>-genericMsgLatencyRate</c> above 0: lines about their stamps are written.</summary>
    public bool GenericLatencies { get; init; }

    /// <summary>Lines about the run that must stand in every summary, for instance that certificates were not checked.</summary>
    public IReadOnlyList<string> Notes { get; init; } = [];
}
