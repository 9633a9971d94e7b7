using System.Globalization;
using PerfCommon.Benchmarks.Runs;

namespace PerfCommon.Benchmarks.Against;

/// <summary>One side of a case: the program that is started, and the names of its figures.</summary>
/// <param name="Name">Name in messages.</param>
/// <param name="Program">The program, without its extension.</param>
/// <param name="Counts">The names of its counts.</param>
internal sealed record AgainstRole(string Name, string Program, CollectionNames Counts);

/// <summary>Two roles and a load that they can sustain.</summary>
internal sealed class AgainstCase
{
    private const int DirectRate = 3_000_000; // some 60 % of the tools' maximum on two cores
    private const int TransportRate = 15_000_000;
    private const int DirectPack = 30;
    private const int TransportPack = 50;

    /// <summary>All cases.</summary>
    public static IReadOnlyList<AgainstCase> All { get; } =
    [
        CreateDirect("direct", pack: 1),
        CreateDirect("direct-packed", DirectPack),
        CreateTransport("transport", pack: 1),
        CreateTransport("transport-packed", TransportPack),
    ];

    public required string Name { get; init; }

    public required AgainstRole Server { get; init; }

    public required AgainstRole Client { get; init; }

    /// <summary>Messages a second when no other rate is requested.</summary>
    public required int UsualRate { get; init; }

    /// <summary>Arguments of the server only.</summary>
    public required Func<int, string> ServerArguments { private get; init; }

    /// <summary>Arguments of the client only.</summary>
    public required Func<AgainstOptions, string> ClientArguments { private get; init; }

    /// <summary>Returns the server's command line at a rate; it listens on a free port.</summary>
    public string[] CreateServerArguments(int rate) => Split($"-p 0 {ServerArguments(rate)}");

    /// <summary>Returns the client's command line.</summary>
    public string[] CreateClientArguments(AgainstOptions options, int port) =>
        Split(Invariant($"-h 127.0.0.1 -p {port} {ClientArguments(options)}"));

    /// <summary>Parses a list of cases.</summary>
    /// <returns>Null when a name is unknown.</returns>
    public static IReadOnlyList<AgainstCase>? Parse(string list)
    {
        AgainstCase?[] found = [.. list.Split(',').Select(name => All.FirstOrDefault(c => c.Name == name))];
        return found.Contains(null) ? null : [.. found.OfType<AgainstCase>()];
    }

    public static string Join(IEnumerable<AgainstCase> cases) => string.Join(',', cases.Select(c => c.Name));

    private static AgainstCase CreateDirect(string name, int pack) => new()
    {
        Name = name,
        Server = new("provider", "ProvPerf", RoleCounts.Provider),
        Client = new("consumer", "ConsPerf", RoleCounts.Consumer),
        UsualRate = DirectRate,
        ServerArguments = rate => Invariant($"-updateRate {rate} -latencyUpdateRate 1000 -maxPackCount {pack}"),
        ClientArguments = o => Invariant($"-itemCount {o.Items} -requestRate 500000 -steadyStateTime {CaseRun.MaxSeconds(o)}"),
    };

    private static AgainstCase CreateTransport(string name, int pack) => new()
    {
        Name = name,
        Server = new("server", "TransportPerf", RoleCounts.Server),
        Client = new("client", "TransportPerf", RoleCounts.Client),
        UsualRate = TransportRate,
        ServerArguments = rate => Invariant($"-appType server -msgSize 76 -msgRate {rate} -latencyMsgRate 1000 -pack {pack}"),
        ClientArguments = _ => "-appType client -msgSize 76 -msgRate 0 -latencyMsgRate 0",
    };

    private static string[] Split(string arguments) => arguments.Split(' ');

    private static string Invariant(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
