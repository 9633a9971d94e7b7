using System.Globalization;
using System.Net;
using PerfCommon;
using PerfCommon.Measurement;
using PerfTools.Hosting.Clocks;
using PerfTools.Hosting.CommandLine;
using PerfTools.Hosting.Options;
using PerfTools.Hosting.Reporting;
using PerfTools.Hosting.Running;

namespace PerfTools.Verbs;

/// <summary><c>perftools clock</c>: answers requests for the time of this host, or shows the offset of another host's clock.</summary>
internal static class ClockVerb
{
    public const string Name = "clock";
    public const string Summary = "Shows how far the clock of another host is from this one's and how exactly that is known; --listen answers there";

    private static readonly TimeSpan Pause = TimeSpan.FromMilliseconds(200);

    public static OptionTable<ClockVerbOptions> Options { get; } = CreateOptions();

    /// <summary>Listens until a signal arrives, or probes the named peer.</summary>
    public static RunOutcome Run(IReadOnlyList<string> words, ClockVerbOptions options, RunHost host)
    {
        if (options.KeyFile is not { } keyFile)
            throw Refuse("--key-file is needed");
        if (options.ListenAt is { } address)
        {
            return words.Count == 0
                ? Listen(address, ClockKey.Load(keyFile), options.Stamps, host) : throw Refuse("--listen and a peer cannot be given together");
        }

        if (words is not [var peer])
            throw Refuse("name a peer as host:port, or --listen");
        ClockOptions asked = new() { Peer = peer, KeyFile = keyFile, Stamps = options.Stamps, Rate = options.Rate };
        return ClockOptions.TryParseAddress(peer) is null ? throw Refuse($"'{peer}' is not host:port") : Probe(asked, options.Seconds, host);
    }

    private static RunOutcome Listen(string address, byte[] key, ClockStamps stamps, RunHost host)
    {
        using ClockAnswerer answerer = ClockAnswerer.Listen(
            ClockVerbOptions.TryParseListen(address)!, key, () => Clock.NowNanos, PeerClock.WallClockFor(stamps));
        string note = stamps == ClockStamps.User ? "" : answerer.IsStamped ? ", stamps of the kernel" : ", stamps: the system gives none of the kernel";
        host.Console.WriteLine($"Clock: answering at {answerer.Local} (udp and tcp){note}");
        while (!host.Signals.StopRequested.IsCancellationRequested)
            host.Signals.StopRequested.WaitHandle.WaitOne(Pause);
        host.Console.WriteLine(string.Create(CultureInfo.InvariantCulture, $"Clock: {answerer.Answered} answers, {answerer.Dropped} messages dropped"));
        return RunOutcome.Success;
    }

    private static RunOutcome Probe(ClockOptions options, int seconds, RunHost host)
    {
        using PeerClock peer = PeerClock.Open(options);
        peer.Begin(host.Signals.StopRequested);
        long from = Clock.NowNanos;
        if (!peer.IsSame)
            host.Signals.StopRequested.WaitHandle.WaitOne(TimeSpan.FromSeconds(seconds));
        long to = Clock.NowNanos;
        peer.Complete();
        ClockFigures clock = peer.Describe(from, to);
        foreach (string line in Show(clock))
            host.Console.WriteLine(line);
        return clock.State == ClockState.Unbounded
            ? new RunOutcome(ExitCode.Incomplete, $"{Name}: the difference of the clocks was not known for all of the time") : RunOutcome.Success;
    }

    private static IEnumerable<string> Show(ClockFigures clock)
    {
        yield return $"Clock of {clock.Pair} by {clock.Transport}: {clock.StateWord}{clock.StampText}";
        if (clock.State == ClockState.Same)
            yield break;
        yield return string.Create(CultureInfo.InvariantCulture, $"  offset {clock.OffsetNanos / (double)Clock.NanosPerSecond:F9} s");
        yield return string.Create(CultureInfo.InvariantCulture, $"  drift {clock.DriftPpm:F3} ppm");
        if (clock.BoundMicros is { } bound)
            yield return string.Create(CultureInfo.InvariantCulture, $"  bound {bound:F3} us");
        yield return string.Create(CultureInfo.InvariantCulture, $"  round trip min {clock.MinRttMicros:F3} us");
        yield return string.Create(CultureInfo.InvariantCulture, $"  exchanges {clock.Exchanges}, lost {clock.Lost}, segments {clock.Segments}");
    }

    private static OptionTable<ClockVerbOptions> CreateOptions()
    {
        OptionTable<ClockVerbOptions> table = new("perftools clock", new ClockVerbOptions(), _ => null) { HasLongNames = true };
        table.Custom("-listen", "address:port", "a port, or an address of this host and a port",
            "answer probes until a signal comes; without an address for programs of this host only",
            o => o.ListenAt, (o, text) => ClockVerbOptions.TryParseListen(text) is null ? null : o with { ListenAt = text });
        table.Text("-key-file", "file", "file with the key that both hosts have, 32 bytes or more", o => o.KeyFile, (o, v) => o with { KeyFile = v });
        table.Number("-seconds", "s", "probe for this long, between two seconds of 1,000 probes each",
            o => o.Seconds, (o, v) => o with { Seconds = v }).Within(1, 3_600);
        table.Choice("-clock-stamps", "kind", ClockStampWords.Help, ClockStampWords.All, o => o.Stamps, (o, v) => o with { Stamps = v });
        table.Number("-clock-rate", "n", ClockOptions.RateHelp, o => o.Rate, (o, v) => o with { Rate = v })
            .Within(ClockOptions.MinRate, ClockOptions.MaxRate);
        return table;
    }

    private static SetupException Refuse(string problem) => new(SetupProblem.CommandLine, $"{Name}: {problem}");
}

/// <summary>The options of <c>perftools clock</c>. Vary it with <c>with</c>.</summary>
internal sealed record ClockVerbOptions
{
    /// <summary>The address on which it answers; null when it probes. <c>--listen</c></summary>
    public string? ListenAt { get; init; }

    /// <summary>The file with the key. <c>--key-file</c></summary>
    public string? KeyFile { get; init; }

    /// <summary>The duration of the probe. <c>--seconds</c></summary>
    public int Seconds { get; init; } = 1;

    /// <summary>Who stamps the probes. <c>--clock-stamps</c></summary>
    public ClockStamps Stamps { get; init; }

    /// <summary>Probes a second. <c>--clock-rate</c></summary>
    public int Rate { get; init; } = ClockOptions.UsualRate;

    /// <summary>Parses a port, or address:port; null for other text.</summary>
    public static IPEndPoint? TryParseListen(string text) =>
        ushort.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out ushort port) ? new(IPAddress.Loopback, port)
            : text.Contains(':', StringComparison.Ordinal) && IPEndPoint.TryParse(text, out IPEndPoint? address) && text[^1] != ']' ? address : null;
}
