namespace PerfCommon.Workers;

/// <summary>What a worker's thread does beside its connections: what other threads hand over to it. Called by that thread.</summary>
internal interface IWorkerTask
{
    /// <summary>True while a worker that was asked to end goes on, because more is on its way.</summary>
    bool DelaysEnd { get; }

    /// <summary>When it wants a turn at the latest, in nanoseconds of <see cref="Measurement.Clock"/>; far away for none.</summary>
    long NextDueNanos => long.MaxValue;

    /// <summary>Bytes that it keeps because of peers, about.</summary>
    long KeptBytes => 0;

    /// <summary>The thread has slept, or has not; from now on nobody need wake it until it says again that it will.</summary>
    void OnAwake();

    /// <summary>Does what is there, within a turn; connections that were written to are flushed and attended to.</summary>
    void Work();

    /// <summary>
    /// The worker was asked to end, and the connections that end first (<see cref="Connection.EndsFirst"/>) are over: they bring nothing
    /// further.
    /// </summary>
    void OnFirstOver();

    /// <summary>Says that the thread is about to sleep, so that it is woken.</summary>
    /// <returns>False when there is work: it must not sleep.</returns>
    bool TrySleep();
}
