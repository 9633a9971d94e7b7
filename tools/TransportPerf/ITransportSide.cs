using PerfCommon.Transport;
using PerfTools.Hosting.Reporting;

namespace TransportPerf;

/// <summary>What server and client do differently on the main thread.</summary>
internal interface ITransportSide : IDisposable
{
    /// <summary>How every worker connects; null on a server.</summary>
    ConnectOptions? Connect { get; }

    /// <summary>Accepts, or just waits; takes notice of connections that ended.</summary>
    /// <param name="workers">The workers.</param>
    /// <param name="limit">How long it may take.</param>
    /// <param name="stop">Ends a wait early.</param>
    void TakeTurn(IReadOnlyList<TransportWorker> workers, TimeSpan limit, CancellationToken stop);

    /// <summary>How the run ended; null while it goes on.</summary>
    RunOutcome? FindEnd(IReadOnlyList<TransportWorker> workers, bool isTimeOver, long nowNanos);

    /// <summary>What failed in a run that came to its end; null when nothing did.</summary>
    RunOutcome? FindFailure();

    /// <summary>Why the counts of both sides cannot be compared; null when they can. After the threads have ended.</summary>
    string? FindNotComparable(IReadOnlyList<TransportWorker> workers);

    /// <summary>Further lines for the summary.</summary>
    IEnumerable<string> FindNotes();
}
