using System.Net.Sockets;
using PerfCommon.Measurement;

namespace LatencyPerf.Links;

/// <summary>By datagrams of Unix sockets: who sleeps waits at a doorbell of his own, who writes rings those of all the others.</summary>
/// <remarks>A ring that nobody waited for stays in the bell and ends the next sleep at once, so none is lost.</remarks>
internal sealed class DoorbellWake : SharedWake
{
    private const int MicrosPerMilli = 1_000;
    private const int RingsAtOnce = 64;
    private static readonly byte[] Stroke = [1];

    private readonly string _path;
    private readonly Socket _own = CreateSocket();
    private readonly Doorbell[] _others;
    private readonly byte[] _rings = new byte[RingsAtOnce];

    /// <exception cref="SocketException">There is no socket at that path.</exception>
    public DoorbellWake(string own, IReadOnlyList<string> others)
    {
        (_path, _others) = (own, [.. others.Select(path => new Doorbell(path))]);
        File.Delete(own); // of one that was killed
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
        long millis = (Math.Max(0, limitNanos) + Clock.NanosPerMilli - 1) / Clock.NanosPerMilli; // the system counts no less
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

    // Somebody else's: he may not be there yet, be gone, or have come again.
    private sealed class Doorbell(string path) : IDisposable
    {
        private Socket? _way;

        public void Ring()
        {
            if (!TryRing() && _way is null)
                TryRing();
        }

        public void Dispose() => _way?.Dispose();

        // A bell that is full has been rung already.
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
                way.Dispose(); // nobody is behind it
                return false;
            }
        }
    }
}
