namespace PerfCommon.Workers;

/// <summary>What a worker's thread does beside its connections: what other threads hand over to it. Called by that thread.</summary>
internal interface IWorkerTask
{
    /// <summary>True while a worker that was asked to end goes on, because more is on its way.</summary>
    bool DelaysEnd { get; }

    /// <summary>Does what is there, within a turn; connections that were written to are flushed and attended to.</summary>
    void Work();

    /// <summary>The worker has ended: nothing further will be done.</summary>
    void OnEnded();

    /// <summary>Says that the thread is about to sleep, so that it is woken.</summary>
    /// <returns>False when there is work: it must not sleep.</returns>
    bool TrySleep();
}
