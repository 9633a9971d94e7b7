using System.Globalization;
using System.Net;
using System.Net.Sockets;
using PerfCommon.Measurement;
using PerfCommon.Transport;

namespace PerfCommon.Benchmarks.Rounds;

/// <summary>
/// <c>rounds publish|echo port peerPort bytes rounds sleep|busy</c>: measures round trips over UDP on the loopback with the sockets and waits
/// of LatencyPerf and without its protocol; prints one line of figures in the format of the programs of test/rt-floor.
/// </summary>
internal sealed class BareRounds : IDisposable
{
    private const int MaxDatagramBytes = 65_536;
    private const int WarmUpRounds = 5_000;
    private const long WaitNanos = Clock.NanosPerSecond / 10;
    private const long SilenceNanos = 2 * Clock.NanosPerSecond;
    private const int MeetingMillis = 200;
    private const double NanosPerMicro = 1_000;

    private readonly Socket _socket = new(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp);
    private readonly byte[] _buffer = GC.AllocateUninitializedArray<byte>(MaxDatagramBytes, pinned: true);
    private readonly Libc.PollEntry[] _entries;
    private readonly bool _isBusy;

    private BareRounds(int port, int peerPort, bool isBusy)
    {
        _socket.Bind(new IPEndPoint(IPAddress.Loopback, port));
        _socket.Connect(IPAddress.Loopback, peerPort);
        _socket.Blocking = false;
        _entries = [new() { Descriptor = (int)_socket.SafeHandle.DangerousGetHandle(), Events = Libc.PollIn }];
        _isBusy = isBusy;
    }

    public static int Run(string[] args, TextWriter output, TextWriter error)
    {
        if (!OperatingSystem.IsLinux() || args is not [("publish" or "echo") and var role, var port, var peerPort, var bytes, var rounds,
            ("sleep" or "busy") and var waiting])
        {
            error.WriteLine("usage: rounds publish|echo port peerPort bytes rounds sleep|busy     (Linux)");
            return 2;
        }

        Libc.SharpenTimer();
        using BareRounds test = new(Number(port), Number(peerPort), waiting == "busy");
        if (role == "publish")
            return test.Publish(Number(bytes), Number(rounds), output);
        test.Echo();
        return 0;
    }

    public void Dispose() => _socket.Dispose();

    private void Echo()
    {
        while (TryReceive(out int bytes) && bytes > 0)
            _socket.Send(_buffer.AsSpan(0, bytes), SocketFlags.None, out _);
    }

    private int Publish(int bytes, int rounds, TextWriter output)
    {
        Thread.Sleep(MeetingMillis);
        long[] nanos = new long[rounds];
        for (int round = -WarmUpRounds; round < rounds; round++)
        {
            long sent = Clock.NowNanos;
            _socket.Send(_buffer.AsSpan(0, bytes), SocketFlags.None, out _);
            if (!TryReceive(out _))
                return 5;
            if (round >= 0)
                nanos[round] = Clock.NowNanos - sent;
        }

        _socket.Send(ReadOnlySpan<byte>.Empty, SocketFlags.None, out _);
        Array.Sort(nanos);
        output.WriteLine(string.Create(CultureInfo.InvariantCulture,
            $"bare .NET udp{(_isBusy ? " busy" : "")} {bytes} bytes: p50 {At(nanos, 0.5):F1} us, p99 {At(nanos, 0.99):F1} us")
            + string.Create(CultureInfo.InvariantCulture, $", max {nanos[^1] / NanosPerMicro:F1} us, {rounds} samples"));
        return 0;
    }

    // False when the peer is gone, or does not answer.
    private bool TryReceive(out int bytes)
    {
        long until = Clock.NowNanos + SilenceNanos;
        do
        {
            if (!_isBusy)
                _ = Libc.Poll(_entries, WaitNanos);
            bytes = _socket.Receive(_buffer, SocketFlags.None, out SocketError error);
            if (error == SocketError.Success)
                return true;
        }
        while (Clock.NowNanos < until);
        return false;
    }

    private static double At(long[] sorted, double share) => sorted[(int)(sorted.Length * share)] / NanosPerMicro;

    private static int Number(string text) => int.Parse(text, CultureInfo.InvariantCulture);
}
