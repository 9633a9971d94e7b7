using System.Globalization;
using System.Net;
using System.Net.Sockets;
using PerfCommon.Measurement;
using PerfCommon.Transport;
using PerfCommon.Workers;
using PerfTools.Hosting.Options;
using PerfTools.Hosting.Reporting;
using PerfTools.Hosting.Running;
using TransportPerf;
using Xunit;

namespace Tools.Tests;

/// <summary>When and how a run of TransportPerf ends: its rules one by one, with the time given by the test. The roles run in turns, over the loopback.</summary>
[Trait("Category", "Fast")]
public sealed class TransportRoleTests : IDisposable
{
    private const int RunSeconds = 1_000;
    private const long Second = Clock.NanosPerSecond;
    private static readonly long Limit = 60 * Second;

    private readonly StringWriter _printed = new();
    private readonly RunConsole _console;
    private readonly TransportPerfRole _server;
    private readonly List<TransportPerfRole> _clients = [];
    private readonly int _port;
    private readonly long _begun = Clock.NowNanos;

    public TransportRoleTests()
    {
        _console = new(_printed);
        _server = Begin(new TransportPerfOptions { RunSeconds = RunSeconds, MsgRate = 1_000, Connection = At(0, isServer: true) });
        _port = int.Parse(_printed.ToString().Split("port ")[1], CultureInfo.InvariantCulture);
    }

    public void Dispose()
    {
        _clients.ForEach(client => client.Dispose());
        _server.Dispose();
        _printed.Dispose();
    }

    // Its rate follows that of its peer, so it takes no other.
    [Theory]
    [InlineData(1_000, false, true)]
    [InlineData(0, false, false)]
    [InlineData(1_000, true, false)]
    public void Settings_OfASideThatSendsNothingOfItself_AreNone(int rate, bool reflects, bool hasSettings)
    {
        using TransportPerfRole role = Begin(new TransportPerfOptions { MsgRate = rate, Reflect = reflects, Connection = At(0, isServer: true) });
        Assert.Equal(hasSettings, role.Settings is not null);
    }

    [Fact]
    public void Server_WithoutAClient_EndsWithItsTime()
    {
        Turn();
        Assert.InRange(_server.EndNanos!.Value - _begun - (RunSeconds * Second), 0, Limit);
        Assert.Null(_server.FindEnd(_server.EndNanos!.Value - 1));
        Assert.Equal(RunOutcome.Success, _server.FindEnd(_server.EndNanos!.Value));
    }

    [Fact]
    public void Server_LastClientLeavesInOrder_EndsAtOnce()
    {
        TransportPerfRole first = Connect(), second = Connect();
        Until(() => Received(first) > 0 && Received(second) > 0);
        Leave(first);
        Assert.Null(_server.FindEnd(Clock.NowNanos + Second)); // the other is there
        Leave(second);
        Until(() => _server.FindEnd(Clock.NowNanos) is not null);
        Assert.Equal(new RunOutcome(ExitCode.Success, "the last client left"), _server.FindEnd(Clock.NowNanos));
        Assert.Equal(RunOutcome.Success, _server.Complete(RunOutcome.Success));
        Assert.Empty(_server.Notes);
    }

    [Fact]
    public void Server_LastClientIsReset_WaitsTenSecondsForAnother()
    {
        Socket client = ConnectRaw();
        long before = Clock.NowNanos;
        client.Close(0); // a reset
        Until(() => _printed.ToString().Contains("Connection ended: ", StringComparison.Ordinal));
        long after = Clock.NowNanos;
        Assert.Null(_server.FindEnd(before + (10 * Second) - 1));
        RunOutcome end = _server.FindEnd(after + (10 * Second))!;
        Assert.Equal(ExitCode.Incomplete, end.Code);
        Assert.StartsWith("the last client was lost: ", end.Reason, StringComparison.Ordinal);
        Assert.Equal(end.Reason["the last client was lost: ".Length..], _server.Complete(end).NotComparableReason);
        Assert.Equal(["Connections ended out of order: 1"], _server.Notes);
    }

    [Fact]
    public void Server_AnotherClientAfterOneThatWasReset_EndsWithThat()
    {
        Socket lost = ConnectRaw();
        lost.Close(0);
        Until(() => _printed.ToString().Contains("Connection ended: ", StringComparison.Ordinal));
        TransportPerfRole client = Connect();
        Until(() => Received(client) > 0);
        Assert.Null(_server.FindEnd(Clock.NowNanos + (20 * Second)));
        Leave(client);
        Until(() => _server.FindEnd(Clock.NowNanos) is not null);
        Assert.Equal(new RunOutcome(ExitCode.Success, "the last client left"), _server.FindEnd(Clock.NowNanos));
    }

    /// <summary>Who has connected and says nothing may be the next client for a second.</summary>
    [Fact]
    public void Server_SilentConnection_DelaysTheEndForASecond()
    {
        TransportPerfRole client = Connect();
        Until(() => Received(client) > 0);
        using Socket silent = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        silent.Connect(IPAddress.Loopback, _port);
        Until(() => _server.Workers[0].ServedConnections > 1);
        long before = Clock.NowNanos;
        Leave(client);
        Until(() => _server.Workers[0].OpenConnections == 0);
        Turn();
        long after = Clock.NowNanos;
        Assert.Null(_server.FindEnd(before + Second - 1));
        Assert.Equal(new RunOutcome(ExitCode.Success, "the last client left"), _server.FindEnd(after + Second));
    }

    [Fact]
    public void Server_ClientThatLeavesOutANumber_FailsTheRunThoughAnotherEndsInOrder()
    {
        using ChannelPoller poller = new();
        RsslChannel odd = poller.Connect(At(_port, isServer: false).ForClient("odd") with
        {
            ProtocolType = RsslProtocol.TransportPerf,
            MajorVersion = 0,
            MinorVersion = 0,
        });
        Until(() =>
        {
            poller.Wait(0);
            return odd.State == ChannelState.Active;
        });
        foreach (int number in (int[])[0, 2])
        {
            Assert.True(odd.TryBeginMessage(RawMessage.MinBytes, out Span<byte> room));
            RawMessage.Write(room[..RawMessage.MinBytes], number, 0);
            odd.EndMessage(RawMessage.MinBytes);
        }

        odd.Flush();
        Until(() => _printed.ToString().Contains("Connection ended: ", StringComparison.Ordinal));
        Assert.Null(_server.FindEnd(Clock.NowNanos + (20 * Second))); // no partner of the test, so no last client
        TransportPerfRole client = Connect();
        Until(() => Received(client) > 0);
        Leave(client);
        Until(() => _server.FindEnd(Clock.NowNanos) is not null);
        const string Fault = "sequence number 2 where 1 was due";
        Assert.Equal(new RunOutcome(ExitCode.Incomplete, $"verification failed: {Fault}", Fault), _server.Complete(_server.FindEnd(Clock.NowNanos)!));
        Assert.Equal(new RunOutcome(ExitCode.NotStarted, "other", Fault), _server.Complete(new(ExitCode.NotStarted, "other")));
    }

    [Fact]
    public void Client_ConnectedAtTheEndOfItsTime_Succeeds()
    {
        TransportPerfRole client = Connect();
        Until(() => client.Workers[0].OpenConnections == 1);
        Assert.Null(client.FindEnd(client.EndNanos!.Value - 1));
        Assert.Equal(RunOutcome.Success, client.FindEnd(client.EndNanos!.Value));
    }

    [Fact]
    public void Client_NotConnectedInItsTime_IsNotStarted()
    {
        using Socket listener = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        listener.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        listener.Listen(); // takes connections, and answers none
        TransportPerfRole client = Connect(((IPEndPoint)listener.LocalEndPoint!).Port);
        Turn();
        Assert.Null(client.FindEnd(client.EndNanos!.Value - 1));
        RunOutcome end = client.FindEnd(client.EndNanos!.Value)!;
        Assert.Equal(ExitCode.NotStarted, end.Code);
        Assert.StartsWith("not connected within the run time: ", end.Reason, StringComparison.Ordinal);
    }

    [Fact]
    public void Client_ServerThatEndsFirst_HasLostItsConnection()
    {
        TransportPerfRole client = Connect();
        Until(() => Received(client) > 0);
        _server.Workers[0].RequestEnd();
        Until(() => client.FindEnd(Clock.NowNanos) is not null);
        RunOutcome end = client.FindEnd(Clock.NowNanos)!;
        Assert.Equal(ExitCode.Incomplete, end.Code);
        Assert.StartsWith("connection lost: ", end.Reason, StringComparison.Ordinal);
        Assert.Null(client.Complete(end).NotComparableReason); // an end in order
    }

    private static ConnectionOptions At(int port, bool isServer) => new()
    {
        IsServer = isServer,
        Client = new ConnectOptions { Host = "127.0.0.1", Port = port },
        Server = new ListenOptions { Port = port, InterfaceName = "127.0.0.1" },
    };

    private static long Counted(TransportPerfRole role, Counter counter) => role.Workers[0].Recording.Counters[counter];

    private static long Received(TransportPerfRole role) => Counted(role, Counter.MessagesReceived);

    private TransportPerfRole Begin(TransportPerfOptions options)
    {
        TransportPerfRole role = new(options, _console);
        role.Begin(_console, Clock.NowNanos);
        return role;
    }

    private TransportPerfRole Connect(int? port = null)
    {
        _clients.Add(Begin(new TransportPerfOptions
        {
            RunSeconds = RunSeconds,
            MsgRate = 1_000,
            Connection = At(port ?? _port, isServer: false),
        }));
        return _clients[^1];
    }

    // A connection whose socket is the test's: another one speaks until the server sends.
    private Socket ConnectRaw()
    {
        using Socket listener = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        listener.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        listener.Listen();
        TransportPerfRole speaker = Connect(((IPEndPoint)listener.LocalEndPoint!).Port);
        Until(() => listener.Poll(0, SelectMode.SelectRead));
        using Socket spoken = listener.Accept();
        Socket raw = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        raw.Connect(IPAddress.Loopback, _port);
        Until(() =>
        {
            Pass(spoken, raw);
            Pass(raw, spoken);
            return Counted(_server, Counter.MessagesSent) > 0;
        });
        _clients.Remove(speaker);
        speaker.Dispose();
        return raw;
    }

    private static void Pass(Socket from, Socket to)
    {
        if (from.Available == 0)
            return;
        byte[] bytes = new byte[from.Available];
        to.Send(bytes.AsSpan(0, from.Receive(bytes)));
    }

    private void Leave(TransportPerfRole client)
    {
        client.Workers[0].RequestEnd();
        Until(() => client.Workers[0].HasEnded);
        Turn();
    }

    private void Until(Func<bool> condition)
    {
        for (long limit = Clock.NowNanos + Limit; !condition(); Turn())
            Assert.True(Clock.NowNanos < limit, $"the condition never held: {_printed}");
    }

    private void Turn()
    {
        foreach (TransportPerfRole role in (TransportPerfRole[])[_server, .. _clients])
        {
            if (!role.Workers[0].HasEnded)
                role.Workers[0].Turn(Clock.NowNanos + (Second / 1_000));
            role.RunTurn(TimeSpan.Zero, CancellationToken.None);
        }
    }
}
