namespace PerfCommon.Workers;

/// <summary>Work of a worker's thread besides its connections: requests from other threads. Called by that thread.</summary>
public interface IWorkerTask
{
    /// <summary>True while a worker whose end was requested continues, because more work is expected.</summary>
    bool DelaysEnd { get; }

    /// <summary>The latest time of its next turn, in nanoseconds of <see cref="Measurement.Clock"/>; far away for none.</summary>
    long NextDueNanos => long.MaxValue;

    /// <summary>Approximate bytes that it keeps because of peers.</summary>
    long KeptBytes => 0;

    /// <summary>Called when the thread is awake; from now on no other thread needs to wake it until it announces its next sleep.</summary>
    void OnAwake();

    /// <summary>Does the pending work, within a turn; connections that were written to are flushed and activated.</summary>
    void Work();

    /// <summary>
    /// Called when the worker's end was requested and the connections that end first (<see cref="Connection.EndsFirst"/>) are closed: they
    /// deliver nothing further.
    /// </summary>
    void OnFirstOver();

    /// <summary>Announces that the thread is about to sleep, so that it is woken.</summary>
    /// <returns>False when there is work: it must not sleep.</returns>
    bool TrySleep();
}
