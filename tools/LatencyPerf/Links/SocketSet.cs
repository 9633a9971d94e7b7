using System.Net.Sockets;
using PerfCommon;
using PerfCommon.Measurement;
using PerfCommon.Transport;

namespace LatencyPerf.Links;

/// <summary>Sockets that one thread waits for: by ppoll on Linux, elsewhere by .NET's select in whole milliseconds.</summary>
internal sealed class SocketSet
{
    private static readonly bool IsPortable = !OperatingSystem.IsLinux() || PortableWay.IsRequested;

    private readonly List<Socket> _sockets = [];
    private Libc.PollEntry[] _entries = [];
    private Thread? _owner;

    public void Add(Socket socket)
    {
        _sockets.Add(socket);
        MakeEntries();
    }

    public void Remove(Socket socket)
    {
        _sockets.Remove(socket);
        MakeEntries();
    }

    /// <summary>Sleeps until one of them is readable, for a limited time.</summary>
    public void Wait(long limitNanos)
    {
        if (IsPortable)
        {
            Select(limitNanos);
            return;
        }

        if (_owner != Thread.CurrentThread)
        {
            _owner = Thread.CurrentThread;
            Libc.SharpenTimer();
        }

        _ = Libc.Poll(_entries, Math.Max(0, limitNanos));
    }

    private void Select(long limitNanos)
    {
        TimeSpan limit = TimeSpan.FromMilliseconds((Math.Max(0, limitNanos) + Clock.NanosPerMilli - 1) / Clock.NanosPerMilli);
        if (_sockets.Count == 0)
            Thread.Sleep(limit);
        else
            Socket.Select(new List<Socket>(_sockets), null, null, limit);
    }

    private void MakeEntries() => _entries = OperatingSystem.IsLinux()
        ? [.. _sockets.Select(socket =>
            new Libc.PollEntry { Descriptor = (int)socket.SafeHandle.DangerousGetHandle(), Events = Libc.PollIn })]
        : [];
}
