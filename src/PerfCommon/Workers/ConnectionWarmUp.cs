using PerfCommon.Measurement;
using PerfCommon.Transport;

namespace PerfCommon.Workers;

/// <summary>Runs two connections over memory, from their handshake to their end, before those of a run, so that their code is compiled.</summary>
/// <remarks>
/// The end is included: cold code would keep the ending side from reading for some milliseconds. Meanwhile its peer would find no free
/// buffer for due messages, and would count them as not sent.
/// </remarks>
internal static class ConnectionWarmUp
{
    private const long DurationNanos = 10_000_000;
    private const long StartLimitNanos = Clock.NanosPerSecond;
    private const long EndLimitNanos = Clock.NanosPerSecond / 10;
    private const int MinTurns = 100;

    /// <summary>Runs both connections to their end.</summary>
    /// <param name="serving">The connection of the server.</param>
    /// <param name="served">Receives its recording.</param>
    /// <param name="connecting">The connection of the client, which ends first.</param>
    /// <param name="connected">Receives its recording.</param>
    /// <param name="hasStarted">True once the code to be compiled is in use.</param>
    public static void Run(Connection serving, WorkerRecording served, Connection connecting, WorkerRecording connected,
        Func<bool> hasStarted)
    {
        MemoryNetwork network = new(TimeSource.System);
        using WorkerListener listener = new(new ListenOptions { Port = 0 }, network);
        using Worker server = new(new WorkerOptions(), served, network);
        using Worker client = new(new WorkerOptions(), connected, network);
        client.Connect(connecting, new ConnectOptions { Host = MemoryNetwork.Host, Port = listener.Port });
        void Turn()
        {
            listener.Accept(TimeSpan.Zero, [server], _ => serving, CancellationToken.None);
            server.Turn();
            if (!client.HasEnded)
                client.Turn();
        }

        TakeTurns(Turn, hasStarted, DurationNanos, network.Time);
        client.RequestEnd();
        TakeTurnsUntil(Turn, () => client.HasEnded, EndLimitNanos, network.Time);
        server.RequestEnd();
        Turn();
    }

    /// <summary>Gives everything its turns until it has started, and then until its code has been called often enough to be compiled.</summary>
    /// <param name="turn">A turn of everything.</param>
    /// <param name="hasStarted">True once the code to be compiled is in use; it is waited for a second at most.</param>
    /// <param name="durationNanos">Minimum time after that; there are 100 turns at least, also where the machine is busy with other work.</param>
    /// <param name="time">The clock.</param>
    public static void TakeTurns(Action turn, Func<bool> hasStarted, long durationNanos, TimeSource time)
    {
        TakeTurnsUntil(turn, hasStarted, StartLimitNanos, time);
        long until = time.NowNanos + durationNanos;
        for (int turns = 0; turns < MinTurns || time.NowNanos < until; turns++)
            turn();
    }

    /// <summary>Gives everything its turns until a condition holds, or the time is over.</summary>
    public static void TakeTurnsUntil(Action turn, Func<bool> isOver, long limitNanos, TimeSource time)
    {
        for (long limit = time.NowNanos + limitNanos; !isOver() && time.NowNanos < limit;)
            turn();
    }
}
