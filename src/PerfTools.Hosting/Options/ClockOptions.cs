using PerfTools.Hosting.CommandLine;

namespace PerfTools.Hosting.Options;

/// <summary>The clock that made the received stamps. Immutable; vary it with <c>with</c>.</summary>
internal sealed record ClockOptions
{
    /// <summary>The flags.</summary>
    public const string PeerName = "-clock", KeyName = "-clockKey", StampsName = "-clockStamps", RateName = "-clockRate", ViaName = "-clockVia";

    /// <summary>The help of the rate of probes.</summary>
    public const string RateHelp = "probes of the clock a second during the run; before it and after it 1,000 for two seconds";

    /// <summary>Probes a second.</summary>
    public const int MinRate = 20, UsualRate = 50, MaxRate = 1_000;

    /// <summary>Probes a second that one clock answers for all programs together, as far as each still has the minimum.</summary>
    public const int MaxRateOfClock = 2_000;

    private const string Scheme = "clock://";
    private const int MaxViaChars = 64;

    /// <summary>
    /// Address of <c>perftools clock --listen</c> on the host of the sender of stamps; null when the sender uses this host's clock. <c>-clock</c>
    /// </summary>
    public string? Peer { get; init; }

    /// <summary>The file with the key that both sides have. <c>-clockKey</c></summary>
    public string? KeyFile { get; init; }

    /// <summary>Who stamps the probes. <c>-clockStamps</c></summary>
    public ClockStamps Stamps { get; init; }

    /// <summary>Probes a second during the run. <c>-clockRate</c></summary>
    public int Rate { get; init; } = UsualRate;

    /// <summary>Names what passes the probes on, where the peer's address is that of a relay; null where they go directly. <c>-clockVia</c></summary>
    public string? Via { get; init; }

    /// <summary>The same as the end of the transport's name in every output, such as <c> via rank 0</c>; empty where they go directly.</summary>
    public string ViaText => Via is null ? "" : $" via {Via}";

    /// <summary>Returns the probes a second of each of several programs that probe one clock.</summary>
    /// <param name="rate">The rate of one that is alone.</param>
    /// <param name="programs">Their number.</param>
    public static int RateOfEach(int rate, int programs) => Math.Clamp(MaxRateOfClock / programs, MinRate, rate);

    /// <summary>True for a name that fits into a line of every output.</summary>
    public static bool IsViaName(string text) => text.Length is > 0 and <= MaxViaChars && text.All(letter => letter is >= ' ' and <= '~');

    /// <summary>Reads <c>host:port</c> or <c>[address]:port</c>; null when it is neither.</summary>
    public static (string Host, int Port)? TryParseAddress(string text) =>
        Uri.TryCreate(Scheme + text, UriKind.Absolute, out Uri? address)
        && address is { Port: > 0, UserInfo: "", PathAndQuery: "/" or "", Fragment: "", Host.Length: > 0 }
            ? (address.Host.Trim('[', ']'), address.Port) : null;

    /// <summary>Finds the first contradiction, as a sentence that names the flags; null when there is none.</summary>
    public string? FindProblem() => this switch
    {
        { Peer: null, KeyFile: not null } => $"{KeyName} needs {PeerName}",
        { Peer: not null, KeyFile: null } => $"{PeerName} needs {KeyName}",
        { Peer: null, Stamps: ClockStamps.Kernel } => $"{StampsName} {ClockStampWords.Kernel} needs {PeerName}",
        { Peer: null, Rate: not UsualRate } => $"{RateName} needs {PeerName}",
        { Peer: null, Via: not null } => $"{ViaName} needs {PeerName}",
        _ => null,
    };
}

/// <summary>Who stamps the probes of a clock.</summary>
internal enum ClockStamps
{
    /// <summary>The program, next to its calls of the system.</summary>
    User,

    /// <summary>The kernel, where it does; else the program.</summary>
    Kernel,
}

/// <summary>The words for the stamps of probes.</summary>
internal static class ClockStampWords
{
    public const string User = "user";
    public const string Kernel = "kernel";

    /// <summary>Kernel stamps were requested, and the system gave none: those of the program were used.</summary>
    public const string NoKernel = "no-kernel";

    /// <summary>The words for the option.</summary>
    public static IReadOnlyList<ChoiceWord<ClockStamps>> All { get; } = [new(User, ClockStamps.User), new(Kernel, ClockStamps.Kernel)];

    /// <summary>The help of the option.</summary>
    public const string Help = "who stamps the probes: the program, or the kernel (Linux, datagrams; the bound is smaller)";
}

/// <summary>Adds the options about the sender's clock to a tool's table.</summary>
/// <typeparam name="T">The options record of the tool.</typeparam>
internal sealed class ClockRows<T>(OptionTable<T> table, Func<T, ClockOptions> get, Func<T, ClockOptions, T> set)
    where T : class
{
    private readonly OptionRows<T, ClockOptions> _rows = table.Part(get, set);

    public void Add()
    {
        _rows.Custom(ClockOptions.PeerName, "host:port", "host:port",
            "correct latencies by the clock of the sender's host, which perftools clock --listen answers for",
            c => c.Peer, (c, text) => ClockOptions.TryParseAddress(text) is null ? null : c with { Peer = text }).As("Clock");
        _rows.Text(ClockOptions.KeyName, "file", $"file with the key for {ClockOptions.PeerName}, 32 bytes or more",
            c => c.KeyFile, (c, v) => c with { KeyFile = v }).As("Clock Key");
        _rows.Choice(ClockOptions.StampsName, "kind", ClockStampWords.Help, ClockStampWords.All, c => c.Stamps, (c, v) => c with { Stamps = v })
            .As("Clock Stamps");
        _rows.Number(ClockOptions.RateName, "n", ClockOptions.RateHelp, c => c.Rate, (c, v) => c with { Rate = v })
            .Within(ClockOptions.MinRate, ClockOptions.MaxRate).As("Clock Rate");
        _rows.Custom(ClockOptions.ViaName, "name", "1 to 64 characters of ASCII",
            $"what passes the probes on where {ClockOptions.PeerName} is not the address of the clock itself; shown with the bound",
            c => c.Via, (c, text) => ClockOptions.IsViaName(text) ? c with { Via = text } : null).As("Clock Via");
    }
}
