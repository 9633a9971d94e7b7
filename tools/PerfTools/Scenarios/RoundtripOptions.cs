namespace PerfTools.Scenarios;

/// <summary>The options of a round-trip test. Immutable; vary it with <c>with</c>.</summary>
internal sealed record RoundtripOptions
{
    /// <summary>The maximum number of subscribers.</summary>
    public const int MaxSubscribers = 32;

    /// <summary>The minimum and the maximum size of data.</summary>
    public const int MinSize = 16, MaxSize = 65_000;

    /// <summary>The maximum domain.</summary>
    public const int MaxDomain = 232;

    /// <summary>The words of transports, one test for each. <c>--transport</c></summary>
    public IReadOnlyList<string> Transports { get; init; } = [RoundtripTransport.Udp];

    /// <summary>The number of subscribers, 1 to <see cref="MaxSubscribers"/>; the last one echoes. <c>--subscribers</c></summary>
    public int Subscribers { get; init; } = 1;

    public bool Reliable { get; init; }

    /// <summary>True to send data and replies to multicast groups. <c>--multicast</c></summary>
    public bool Multicast { get; init; }

    /// <summary>The number of samples of each size. <c>--samples</c></summary>
    public int Samples { get; init; } = 100_000;

    /// <summary>The only size of data, in bytes; null for those of the program, 16 to 8,192. <c>--size</c></summary>
    public int? Size { get; init; }

    /// <summary>True when no side ever sleeps. <c>--busy</c></summary>
    public bool Busy { get; init; }

    /// <summary>True to derive one-way times, with several subscribers from a baseline that is measured first. <c>--one-way</c></summary>
    public bool OneWay { get; init; }

    /// <summary>The number that separates tests; null draws a free one. <c>--domain</c></summary>
    public int? Domain { get; init; }

    /// <summary>The file with the publisher's results of one subscriber; null while there are none.</summary>
    public string? Baseline { get; init; }

    /// <summary>The transport of a single test.</summary>
    public string Transport => Transports[0];

    /// <summary>True for several transports, and for a test that needs another one as its baseline.</summary>
    public bool IsSeveralRuns => RunCount > 1;

    /// <summary>The number of tests: one for each transport, and their baselines.</summary>
    public int RunCount => Transports.Count * (NeedsBaseline ? 2 : 1);

    /// <summary>True for one-way times of several subscribers, which are derived from a test with one.</summary>
    public bool NeedsBaseline => OneWay && Subscribers > 1;
}

/// <summary>The words of <c>--transport</c>, and the numbers of LatencyPerf for them.</summary>
internal static class RoundtripTransport
{
    public const string Udp = "udp";
    public const string Tcp = "tcp";
    public const string Rssl = "rssl";
    public const string SharedMemory = "shm";

    private const char Separator = ',';
    private static readonly Dictionary<string, int> Numbers = new(StringComparer.OrdinalIgnoreCase)
    {
        [Udp] = 1,
        [SharedMemory] = 2,
        ["udp6"] = 8,
        [Rssl] = 16,
        [Tcp] = 32,
    };

    public static string AllWords => string.Join(", ", Numbers.Keys);

    public static int NumberOf(string word) => Numbers[word];

    /// <summary>Parses one word or several with commas; null for an unknown or a repeated one.</summary>
    public static IReadOnlyList<string>? TryParse(string text)
    {
        string[] words = text.ToLowerInvariant().Split(Separator, StringSplitOptions.TrimEntries);
        return words.All(Numbers.ContainsKey) && words.Distinct().Count() == words.Length ? words : null;
    }
}
