using System.Net.Sockets;
using PerfCommon.Measurement;

namespace LatencyPerf.Links;

/// <summary>Wakes by datagrams of Unix sockets: each side sleeps at its own doorbell, and a writer rings those of all the others.</summary>
/// <remarks>A ring during the absence of a sleeper stays in the socket and ends the next sleep at once, so none is lost.</remarks>
internal sealed class DoorbellWake : SharedWake
{
    private const int MicrosPerMilli = 1_000;
    private const int RingsAtOnce = 64;
    private static readonly byte[] Stroke = [1];

    private readonly string _path;
    private readonly Socket _own = CreateSocket();
    private readonly Doorbell[] _others;
    private readonly byte[] _rings = new byte[RingsAtOnce];

    /// <exception cref="SocketException">The socket cannot be created at that path.</exception>
    public DoorbellWake(string own, IReadOnlyList<string> others)
    {
        (_path, _others) = (own, [.. others.Select(path => new Doorbell(path))]);
        File.Delete(own); // left by a side that was killed
        _own.Bind(new UnixDomainSocketEndPoint(own));
        if (!OperatingSystem.IsWindows())
            File.SetUnixFileMode(own, UnixFileMode.UserRead | UnixFileMode.UserWrite);
    }

    protected override void Wake(ref uint word)
    {
        foreach (Doorbell bell in _others)
            bell.Ring();
    }

    protected override void Wait(ref uint word, uint seen, long limitNanos)
    {
        long millis = (Math.Max(0, limitNanos) + Clock.NanosPerMilli - 1) / Clock.NanosPerMilli; // rounded up: the system counts whole milliseconds
        if (!_own.Poll((int)Math.Min(int.MaxValue, millis * MicrosPerMilli), SelectMode.SelectRead))
            return;
        int bytes = 1;
        for (SocketError error = SocketError.Success; error == SocketError.Success && bytes > 0;)
            bytes = _own.Receive(_rings, SocketFlags.None, out error);
    }

    protected override void Dispose(bool disposing)
    {
        _own.Dispose();
        File.Delete(_path);
        foreach (Doorbell bell in _others)
            bell.Dispose();
        base.Dispose(disposing);
    }

    private static Socket CreateSocket() => new(AddressFamily.Unix, SocketType.Dgram, ProtocolType.Unspecified) { Blocking = false };

    // The doorbell of another side, which may not exist yet, have ended, or have restarted.
    private sealed class Doorbell(string path) : IDisposable
    {
        private Socket? _way;

        public void Ring()
        {
            if (!TryRing() && _way is null)
                TryRing();
        }

        public void Dispose() => _way?.Dispose();

        // A full bell has been rung already.
        private bool TryRing()
        {
            if (_way is null && !TryConnect())
                return false;
            _way!.Send(Stroke, SocketFlags.None, out SocketError error);
            if (error is SocketError.Success or SocketError.WouldBlock or SocketError.NoBufferSpaceAvailable)
                return true;
            _way.Dispose();
            _way = null;
            return false;
        }

        private bool TryConnect()
        {
            if (!File.Exists(path) || new FileInfo(path).LinkTarget is not null)
                return false;
            Socket way = CreateSocket();
            try
            {
                way.Connect(new UnixDomainSocketEndPoint(path));
                _way = way;
                return true;
            }
            catch (SocketException)
            {
                way.Dispose(); // no socket is bound there
                return false;
            }
        }
    }
}
