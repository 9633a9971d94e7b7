using System.Buffers.Binary;
using System.Diagnostics;
using System.Net;
using System.Net.Sockets;
using PerfCommon.Measurement;

namespace Floods;

/// <summary>
/// Attacks a round-trip test: from the network, or as a program of the same user on its shared memory.
/// </summary>
/// <remarks>Floods latency kind domain seconds; the test has the usual ports on 127.0.0.1. It prints its counts.</remarks>
internal sealed partial class LatencyAttacks(int domain, TimeSpan time)
{
    private const int BasePort = 21_000, PortsPerDomain = 36, StreamPort = 35, MaxCookie = 32;
    private const int HeaderBytes = 24, AnnouncementBytes = 40, LargestBytes = 64;
    private const int PerSecond = 20_000;
    private const int Idle = 200;
    private const int PauseMillis = 10;

    private readonly Random _random = new(1);
    private readonly long _start = Stopwatch.GetTimestamp();
    private long _done;

    private static readonly Dictionary<string, Action<LatencyAttacks>> All = new()
    {
        ["announcements"] = attack => attack.SendDatagrams(0, attack.Announce),
        ["to-publisher"] = attack => attack.SendDatagrams(0, attack.Guess),
        ["to-subscriber"] = attack => attack.SendDatagrams(1, attack.Guess),
        ["noise"] = attack => attack.SendDatagrams(0, attack.Noise),
        ["large"] = attack => attack.SendDatagrams(0, room => room.Length, bytes: 60_000, perSecond: 500),
        ["idle"] = attack => attack.HoldIdle(),
        ["storm"] = attack => attack.Repeat(attack.ConnectAndReset),
        ["stream-noise"] = attack => attack.Repeat(socket => attack.Write(socket, attack.Noise)),
        ["stream-announcements"] = attack => attack.Repeat(socket => attack.Write(socket, attack.Announce)),
        ["byte-by-byte"] = attack => attack.Repeat(attack.WriteByteByByte),
        ["cut-short"] = attack => attack.CutShort(),
        ["written-over"] = attack => attack.WriteOver(),
        ["links"] = attack => attack.PlantLinks(),
    };

    public static IEnumerable<string> Kinds => All.Keys;

    public static int Run(string kind, int domain, double seconds)
    {
        LatencyAttacks attack = new(domain, TimeSpan.FromSeconds(seconds));
        All[kind](attack);
        Console.WriteLine($"{kind,-22} {attack._done,10} times");
        return 0;
    }

    /// <summary>Prints the rounds a second of a log between two of its times, in whole seconds, and the longest of them in microseconds.</summary>
    public static int WriteCounts(string log, double from, double to)
    {
        LongHistogram sum = LongHistogram.CreateForTimes(LatencyUnit.Nanoseconds);
        int seconds = 0;
        foreach ((int second, HistogramLogInterval interval) in HistogramLogReader.ReadFile(log).Index())
        {
            if (second < from || second + 1 > to)
                continue;
            sum.Add(interval.Histogram);
            seconds++;
        }

        Console.WriteLine(FormattableString.Invariant($"{sum.TotalCount / Math.Max(1, seconds)} {sum.GetMaxValue() / 1000}"));
        return 0;
    }

    private bool IsOver => Stopwatch.GetElapsedTime(_start) >= time;

    private int FirstPort => BasePort + (PortsPerDomain * domain);

    private string MemoryPath => $"/dev/shm/perftools-{string.Concat(Environment.UserName.Where(char.IsAsciiLetterOrDigit))}-{domain}";

    private static Socket CreateUdp() => new(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp);

    // Sends from a hundred addresses in turn.
    private void SendDatagrams(int side, Func<byte[], int> fill, int bytes = LargestBytes, int perSecond = PerSecond)
    {
        Socket[] sockets = [.. Enumerable.Range(0, 100).Select(_ => CreateUdp())];
        IPEndPoint to = new(IPAddress.Loopback, FirstPort + side);
        byte[] room = new byte[bytes];
        while (!IsOver)
        {
            for (long due = (long)(Stopwatch.GetElapsedTime(_start).TotalSeconds * perSecond); _done < due; _done++)
            {
                int length = fill(room);
                sockets[_done % sockets.Length].SendTo(room.AsSpan(0, length), SocketFlags.None, to);
            }

            Thread.Sleep(1);
        }
    }

    // A complete announcement, with any cookie and any group.
    private int Announce(byte[] room)
    {
        room.AsSpan().Clear();
        WriteHeader(room, kind: 1, _random.Next(MaxCookie + 2), session: 0, AnnouncementBytes);
        room[HeaderBytes + 1] = (byte)_random.Next(4);
        if (_random.Next(2) == 0)
        {
            IPAddress.Parse($"225.1.2.{_random.Next(4)}").MapToIPv6().TryWriteBytes(room.AsSpan(HeaderBytes + 4), out _);
            BinaryPrimitives.WriteUInt16BigEndian(room.AsSpan(HeaderBytes + 20), (ushort)(FirstPort + 33));
        }

        return HeaderBytes + AnnouncementBytes;
    }

    // A datagram of any kind, valid except for the session, which an attacker does not know.
    private int Guess(byte[] room)
    {
        int length = _random.Next(AnnouncementBytes + 1);
        _random.NextBytes(room);
        WriteHeader(room, _random.Next(1, 15), _random.Next(MaxCookie + 2), (uint)_random.Next(), length);
        return HeaderBytes + length;
    }

    private int Noise(byte[] room)
    {
        _random.NextBytes(room);
        return _random.Next(room.Length + 1);
    }

    private void WriteHeader(byte[] room, int kind, int from, uint session, int length)
    {
        Frames.RoundTripMagic.CopyTo(room, 0);
        room[3] = (byte)kind;
        BinaryPrimitives.WriteUInt16BigEndian(room.AsSpan(4), (ushort)domain);
        (room[6], room[7]) = ((byte)from, 0);
        BinaryPrimitives.WriteUInt32BigEndian(room.AsSpan(8), session);
        BinaryPrimitives.WriteUInt16BigEndian(room.AsSpan(12), (ushort)length);
        room[14] = room[15] = 0;
    }

    private void HoldIdle()
    {
        Socket?[] sockets = new Socket?[Idle];
        while (!IsOver)
        {
            for (int i = 0; i < sockets.Length && !IsOver; i++)
            {
                if (sockets[i] is { } held && !held.Poll(0, SelectMode.SelectRead))
                    continue;
                sockets[i]?.Dispose();
                sockets[i] = TryConnect();
            }

            Thread.Sleep(PauseMillis);
        }
    }

    private void Repeat(Action<Socket> use)
    {
        while (!IsOver)
        {
            using Socket? socket = TryConnect();
            try
            {
                if (socket is not null)
                    use(socket);
                else
                    Thread.Sleep(PauseMillis); // there is no listener any more
            }
            catch (SocketException)
            {
                // closed, as it should be
            }
        }
    }

    private void ConnectAndReset(Socket socket) => socket.LingerState = new LingerOption(true, 0);

    // Writes without reading.
    private void Write(Socket socket, Func<byte[], int> fill)
    {
        byte[] room = new byte[LargestBytes];
        socket.SendTimeout = 1_000;
        while (!IsOver)
            socket.Send(room, fill(room), SocketFlags.None);
    }

    private void WriteByteByByte(Socket socket)
    {
        byte[] room = new byte[LargestBytes];
        int length = Announce(room);
        for (int i = 0; i < length && !IsOver; i++)
        {
            socket.Send(room, i, 1, SocketFlags.None);
            Thread.Sleep(1);
        }
    }

    private Socket? TryConnect()
    {
        Socket socket = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
        try
        {
            socket.Connect(IPAddress.Loopback, FirstPort + StreamPort);
            _done++;
            return socket;
        }
        catch (SocketException)
        {
            socket.Dispose();
            return null;
        }
    }

    // Truncates the file, and the memory of which it holds the name.
    private void CutShort()
    {
        while (!IsOver)
        {
            foreach (string path in new[] { FindMemory(), MemoryPath })
                TryChange(path, file => file.SetLength(0));
            Thread.Sleep(1);
        }
    }

    // Overwrites any bytes; the attacking program belongs to the same user.
    private void WriteOver()
    {
        byte[] noise = new byte[64];
        while (!IsOver)
        {
            TryChange(FindMemory(), file =>
            {
                for (int i = 0; i < 1_000; i++, _done++)
                {
                    _random.NextBytes(noise);
                    file.Position = _random.NextInt64(file.Length - noise.Length);
                    file.Write(noise, 0, 1 << _random.Next(7));
                }
            });
            Thread.Sleep(1);
        }
    }
}
