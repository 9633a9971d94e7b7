using System.Net;
using System.Net.Sockets;
using LatencyPerf.Links;
using LatencyPerf.Protocol;
using PerfCommon.Measurement;
using Xunit;

namespace Tools.Tests.LatencyTests;

/// <summary>Datagrams in a stream of TCP that arrive in pieces, and that a socket does not take at once.</summary>
[Trait("Category", "Fast")]
public sealed class StreamConnectionTests : IDisposable
{
    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(120);
    private static readonly byte[] Ready = GoldenDatagrams.Bytes(DatagramKind.Ready), Announce = GoldenDatagrams.Bytes(DatagramKind.Announce);

    private readonly Socket _far = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
    private readonly StreamConnection _connection;

    public StreamConnectionTests()
    {
        using Socket listening = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp) { SendBufferSize = 4_096 };
        listening.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        listening.Listen(1);
        _far.NoDelay = true;
        _far.Connect(listening.LocalEndPoint!);
        _connection = new(listening.Accept());
    }

    public void Dispose()
    {
        _connection.Dispose();
        _far.Dispose();
    }

    [Fact]
    public void HasDatagram_AsLongAsTheNextIsWholeInTheBuffer()
    {
        Assert.False(_connection.HasDatagram);
        _far.Send([.. Ready, .. Announce, .. Ready[..10]]);
        Assert.Equal(Ready, ReceiveOne());
        Assert.True(_connection.HasDatagram);
        Assert.Equal(Announce, ReceiveOne());
        Assert.False(_connection.HasDatagram); // of the next one only the beginning
        Assert.False(_connection.TryReceive(out _));
        _far.Send([.. Ready[10..], .. Ready]);
        Assert.Equal(Ready, ReceiveOne());
        Assert.True(_connection.HasDatagram);
        _connection.Dispose();
        Assert.False(_connection.HasDatagram);
    }

    [Fact]
    public void TryReceive_EndOfTheStream_ComesAfterWhatWasWhole()
    {
        _far.Send([.. Ready, .. Announce, .. Ready[..10]]);
        _far.Shutdown(SocketShutdown.Send);
        Assert.Equal(Ready, ReceiveOne());
        Assert.Equal(Announce, ReceiveOne());
        for (long until = Deadline(); _connection.Closed is null && Clock.NowNanos < until;)
            Assert.False(_connection.TryReceive(out _));
        Assert.EndsWith(" closed the connection", _connection.Closed, StringComparison.Ordinal);
        Assert.False(_connection.TryReceive(out _));
    }

    [Fact]
    public async Task Send_ToAPeerMoreThanTheSocketTakes_SendsEveryByteOnce()
    {
        _connection.MakePeer();
        byte[] all = new byte[1_000_000], received = new byte[all.Length];
        new Random(1).NextBytes(all);
        Task reading = Task.Run(
            () =>
            {
                for (int at = 0; at < received.Length;)
                    at += _far.Receive(received.AsSpan(at, Math.Min(5_000, received.Length - at)));
            },
            TestContext.Current.CancellationToken);
        _connection.Send(all);
        Assert.Null(_connection.Closed);
        await reading.WaitAsync(Limit, TestContext.Current.CancellationToken);
        Assert.Equal(all, received);
    }

    private static long Deadline() => Clock.NowNanos + (long)Limit.TotalNanoseconds;

    private byte[]? ReceiveOne()
    {
        for (long until = Deadline(); Clock.NowNanos < until;)
        {
            if (_connection.TryReceive(out Span<byte> datagram))
                return [.. datagram];
        }

        return null;
    }
}
