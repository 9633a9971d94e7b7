using PerfCommon.Measurement;
using PerfCommon.Transport;

namespace PerfCommon.Workers;

/// <summary>Two connections over memory, from their handshake to their end, before those of a run: their code is compiled then.</summary>
/// <remarks>
/// Their end as well: cold code keeps who ends from reading for some milliseconds, in which its peer finds no room for what is due, and
/// says that it was never sent.
/// </remarks>
internal static class Rehearsal
{
    private const long DurationNanos = 10_000_000;
    private const long StartLimitNanos = Clock.NanosPerSecond;
    private const long EndLimitNanos = Clock.NanosPerSecond / 10;
    private const int MinTurns = 100; // also where the machine is busy with something else

    /// <summary>Plays it through.</summary>
    /// <param name="serving">The one that is connected to.</param>
    /// <param name="served">Gets what it records.</param>
    /// <param name="connecting">The other one, which ends first.</param>
    /// <param name="connected">Gets what that records.</param>
    /// <param name="hasStarted">True once they do what they are there for.</param>
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

        TimeSource time = network.Time;
        for (long limit = time.NowNanos + StartLimitNanos; !hasStarted() && time.NowNanos < limit;)
            Turn();
        long until = time.NowNanos + DurationNanos;
        for (int turns = 0; turns < MinTurns || time.NowNanos < until; turns++)
            Turn();
        client.RequestEnd();
        for (long limit = time.NowNanos + EndLimitNanos; !client.HasEnded && time.NowNanos < limit;)
            Turn();
        server.RequestEnd();
        Turn();
    }
}
