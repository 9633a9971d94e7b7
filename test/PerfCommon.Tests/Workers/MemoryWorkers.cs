using PerfCommon.Measurement;
using PerfCommon.Transport;
using PerfCommon.Workers;
using Xunit;

namespace PerfCommon.Tests.Workers;

/// <summary>Two workers with one connection between them over memory, whose turns the test runs.</summary>
internal sealed class MemoryWorkers : IDisposable
{
    /// <param name="time">The clock of both; null for the system's.</param>
    /// <param name="options">Options of both; null for the defaults.</param>
    /// <param name="network">The network of both; null for one with the clock.</param>
    public MemoryWorkers(TimeSource? time = null, WorkerOptions? options = null, MemoryNetwork? network = null)
    {
        Network = network ?? new MemoryNetwork(time ?? TimeSource.System);
        Server = new Worker(options ?? new WorkerOptions(), new WorkerRecording(), Network);
        Client = new Worker(options ?? new WorkerOptions(), new WorkerRecording(), Network);
    }

    public MemoryNetwork Network { get; }

    public Worker Server { get; }

    public Worker Client { get; }

    /// <summary>Connects both; the next turns complete the handshake.</summary>
    public void Join(Connection server, Connection client)
    {
        using RsslListener listener = RsslListener.Bind(new ListenOptions { Port = 0 }, Network);
        Client.Connect(client, new ConnectOptions { Host = MemoryNetwork.Host, Port = listener.Port });
        Client.Turn();
        Assert.True(listener.TryAccept(TimeSpan.Zero, out AcceptedConnection? accepted));
        Server.Serve(accepted, server);
    }

    /// <summary>Connects both, and completes the handshake.</summary>
    /// <returns>The client.</returns>
    public ScriptedConnection Open(ProbeConnection server, ScriptedConnection client)
    {
        Join(server, client);
        for (int round = 0; round < 8; round++)
        {
            Client.Turn(0);
            Server.Turn(0);
        }

        Assert.True(client.IsOpened && server.IsOpened);
        return client;
    }

    public void Dispose()
    {
        Server.Dispose();
        Client.Dispose();
    }
}
