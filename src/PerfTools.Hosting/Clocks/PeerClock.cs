using System.Net;
using System.Net.Sockets;
using PerfCommon;
using PerfCommon.Measurement;
using PerfTools.Hosting.Options;
using PerfTools.Hosting.Reporting;

namespace PerfTools.Hosting.Clocks;

/// <summary>The clock of a peer, probed on a separate thread from before a run until after it.</summary>
/// <remarks>
/// <see cref="Line"/> is for the receivers of stamps: replaced once a second, found from the last 15 s. The figures of a past time, <see
/// cref="Describe"/>, use all probes so far, later ones included.
/// </remarks>
internal sealed class PeerClock : IDisposable
{
    private const int ProbesAtOnce = 3; // the first wakes both programs, so the others have shorter round trips
    private const double FastProbesPerSecond = 1_000;
    private const long FastNanos = 2 * Clock.NanosPerSecond;
    private const int LineWindows = 15 * ClockWindow.PerSecond;
    private const double MaxPauseMillis = 500;
    private static readonly TimeSpan EndLimit = TimeSpan.FromSeconds(5);

    private readonly ClockOptions _options;
    private readonly ClockProber _prober;
    private readonly ClockHistory _history = new();
    private readonly LinesInForce _lines;
    private readonly ManualResetEventSlim _isBegun = new(initialState: false, spinCount: 0);
    private readonly ManualResetEventSlim _isEnding = new(initialState: false, spinCount: 0);
    private readonly Lock _gate = new(); // guards history and lines
    private readonly Random _random = new();
    private Thread? _thread;
    private ClockLine? _line;
    private (ulong, ulong) _incarnations;
    private volatile bool _isAborted;

    private PeerClock(ClockOptions options, ClockProber prober)
    {
        (_options, _prober, _incarnations) = (options, prober, prober.Incarnations);
        _lines = new(_history);
    }

    /// <summary>The present line; null while the difference of the clocks is not known. Any thread.</summary>
    public ClockLine? Line => Volatile.Read(ref _line);

    /// <summary>True when the peer reads the same clock as this program: there is nothing to probe.</summary>
    public bool IsSame => _prober.IsOneClock;

    /// <summary>Connects to the peer and determines whether its clock is another.</summary>
    /// <exception cref="SetupException">It does not answer, or the key cannot be used.</exception>
    public static PeerClock Open(ClockOptions options)
    {
        byte[] key = ClockKey.Load(options.KeyFile!);
        return new PeerClock(options, ClockProber.Open(Resolve(options.Peer!), key, () => Clock.NowNanos, WallClockFor(options.Stamps)));
    }

    /// <summary>The wall clock for probes and answers with such stamps; null where there are none of the kernel.</summary>
    public static Func<long>? WallClockFor(ClockStamps stamps) =>
        stamps == ClockStamps.Kernel ? static () => LinuxClock.Read(LinuxClock.WallClock) : null;

    /// <summary>Probes for two seconds, so that there is a line, then continues with fewer probes.</summary>
    /// <param name="stop">Ends the wait early.</param>
    public void Begin(CancellationToken stop)
    {
        if (IsSame)
        {
            Volatile.Write(ref _line, new ClockLine(0, 0, 0));
            return;
        }

        _thread = new Thread(Probe) { Name = "clock", IsBackground = true };
        _thread.Start();
        try
        {
            _isBegun.Wait(stop);
        }
        catch (OperationCanceledException)
        {
            // the caller ends the run
        }
    }

    /// <summary>Probes fast for two more seconds and ends.</summary>
    public void Complete()
    {
        _isEnding.Set();
        _thread?.Join(EndLimit);
    }

    /// <summary>Returns the clock's figures for a past time.</summary>
    /// <param name="fromNanos">Begin of the time, by this host's clock.</param>
    /// <param name="toNanos">End of the time.</param>
    /// <param name="spans">The times of its intervals, whose latencies were moved afterwards; null before that.</param>
    public ClockFigures Describe(long fromNanos, long toNanos, IReadOnlyList<ClockSpan>? spans = null)
    {
        if (IsSame)
        {
            return new ClockFigures
            { Pair = _options.Peer!, Transport = _prober.Transport + _options.ViaText, UsedNanos = (0, 0), BoundMicros = 0, State = ClockState.Same };
        }

        lock (_gate)
        {
            ClockTrack track = TrackSince(fromNanos);
            ClockSpan[] times = spans is { Count: > 0 } ? [.. spans] : [new(fromNanos, toNanos, 0, HasBelowZero: false)];
            double? bound = _lines.FindBound(track, times);
            double end = toNanos - _history.BaseNanos;
            ClockFit? fit = (track.SegmentAt(end) is { Fit: not null } last ? last : track.Last)?.Fit;
            return new ClockFigures
            {
                Pair = _options.Peer!,
                Transport = _prober.Transport + _options.ViaText,
                ViaText = _options.ViaText,
                Exchanges = _history.Count,
                Lost = _prober.Lost,
                MinRttMicros = _history.MinRoundTripNanos / (double)Clock.NanosPerMicro,
                OffsetNanos = _history.BaseOffsetNanos + (long)(fit?.OffsetAt(end) ?? 0),
                UsedNanos = _lines.FindUsed(times),
                DriftPpm = (fit?.Slope ?? 0) * 1e6,
                BoundMicros = bound / Clock.NanosPerMicro,
                Segments = track.Segments.Count,
                Stamps = _options.Stamps == ClockStamps.User ? ClockStampWords.User : _prober.Stamped > 0 ? ClockStampWords.Kernel : ClockStampWords.NoKernel,
                PeerStamps = _prober.IsPeerStamped ? ClockStampWords.Kernel : ClockStampWords.User,
                State = bound is null ? ClockState.Unbounded : ClockState.Bounded,
                IsFinal = spans is not null,
            };
        }
    }

    /// <summary>Returns the errors of the lines that were in force in each of some times, by all probes so far; null where it is not known.</summary>
    /// <param name="spans">The times, in order.</param>
    public IReadOnlyList<ClockError?> FindErrors(IReadOnlyList<ClockSpan> spans)
    {
        lock (_gate)
        {
            ClockTrack track = TrackSince(spans[0].FromNanos);
            return [.. spans.Select(span => _lines.FindError(track, span))];
        }
    }

    public void Dispose()
    {
        _isAborted = true;
        Complete();
        if (_thread?.IsAlive == true)
            return; // a starved thread still uses them; it ends with the probe in progress
        _prober.Dispose();
        _isBegun.Dispose();
        _isEnding.Dispose();
    }

    /// <summary>Finds the address of a peer.</summary>
    /// <param name="peer">Its host and port.</param>
    /// <exception cref="SetupException">No such host is known.</exception>
    public static IPEndPoint Resolve(string peer)
    {
        (string host, int port) = ClockOptions.TryParseAddress(peer)!.Value;
        try
        {
            IPAddress[] addresses = Dns.GetHostAddresses(host);
            return new(Array.Find(addresses, address => address.AddressFamily == AddressFamily.InterNetwork) ?? addresses[0], port);
        }
        catch (SocketException failure)
        {
            throw new SetupException(SetupProblem.NotStarted, $"{host}: {failure.Message}", failure);
        }
    }

    private ClockTrack TrackSince(long nanos) =>
        new(_history.CollectSince((double)nanos - _history.BaseNanos - (LineWindows * ClockWindow.Nanos)));

    private void Probe()
    {
        ProbeFast();
        FindLine();
        _isBegun.Set();
        long nextLine = Clock.NowNanos + Clock.NanosPerSecond;
        while (!_isEnding.Wait(TimeSpan.FromMilliseconds(Math.Min(MaxPauseMillis, -Math.Log(1 - _random.NextDouble()) * 1_000 * ProbesAtOnce / _options.Rate))))
        {
            for (int i = 0; i < ProbesAtOnce; i++)
                Exchange();
            if (Clock.NowNanos < nextLine)
                continue;
            FindLine();
            nextLine = Clock.NowNanos + Clock.NanosPerSecond;
        }

        ProbeFast();
    }

    private void ProbeFast()
    {
        long start = Clock.NowNanos;
        for (long next = start; !_isAborted && Clock.NowNanos < start + FastNanos; next += (long)(Clock.NanosPerSecond / FastProbesPerSecond))
        {
            Exchange();
            long pause = next - Clock.NowNanos;
            if (pause > 0)
                Thread.Sleep(TimeSpan.FromTicks(pause / TimeSpan.NanosecondsPerTick));
        }
    }

    private void Exchange()
    {
        if (!_prober.TryExchange(out ClockExchange exchange))
            return;
        lock (_gate)
        {
            if (_prober.Incarnations != _incarnations)
            {
                _incarnations = _prober.Incarnations;
                _history.Break();
                Volatile.Write(ref _line, null); // the line is invalid from now on
            }

            _history.Add(exchange);
        }
    }

    // From the last 15 s; where the clocks drift unevenly, from the latest part of it for which a line can be found.
    private void FindLine()
    {
        lock (_gate)
        {
            ClockWindow[] windows = _history.CollectWindows(onlyLastEpoch: true, LineWindows);
            for (int count = windows.Length; count > 0; count /= 2)
            {
                ClockTrack track = new(windows[^count..]);
                if (track.Segments is not [{ Fit: { } fit } segment])
                    continue;
                double end = windows[^1].Lower[^1].At;
                long now = _history.BaseNanos + (long)end;
                ClockLine line = ClockLine.Of(now, _history.BaseOffsetNanos + (long)Math.Round(fit.OffsetAt(end)), fit.Slope) with
                {
                    FoundNanos = now,
                    BoundNanos = track.FindError(fit.OffsetAt, end, end)?.Max ?? double.PositiveInfinity,
                    BoundGrowth = segment.AllowanceAt(end) + ((fit.MaxSlopeFound - fit.MinSlope) / 2),
                };
                _lines.Add(line);
                Volatile.Write(ref _line, line);
                return;
            }

            Volatile.Write(ref _line, null);
        }
    }
}
