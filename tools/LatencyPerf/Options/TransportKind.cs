using PerfTools.Hosting.CommandLine;

namespace LatencyPerf;

/// <summary>The transports of a test's datagrams; the numbers are the guide's, and ours beyond them.</summary>
internal enum TransportKind
{
    Udp = 1,
    SharedMemory = 2,
    Udp6 = 8,
    Rssl = 16,
    Tcp = 32,
}

/// <summary>The words of <c>-transport</c>, and the names of transports in the output.</summary>
internal static class Transports
{
    /// <summary>Numbers and words, the number first.</summary>
    public static IReadOnlyList<ChoiceWord<TransportKind>> Words { get; } =
    [
        new("1", TransportKind.Udp), new("udp", TransportKind.Udp),
        new("2", TransportKind.SharedMemory), new("shmem", TransportKind.SharedMemory),
        new("8", TransportKind.Udp6), new("udp6", TransportKind.Udp6),
        new("16", TransportKind.Rssl), new("rssl", TransportKind.Rssl),
        new("32", TransportKind.Tcp), new("tcp", TransportKind.Tcp),
    ];

    public static string NameOf(TransportKind kind) => kind switch
    {
        TransportKind.Udp => "UDPv4",
        TransportKind.SharedMemory => "shared memory",
        TransportKind.Udp6 => "UDPv6",
        TransportKind.Rssl => "RSSL",
        _ => "TCP",
    };

    /// <summary>True where sockets carry single datagrams, which groups need.</summary>
    public static bool IsUdp(this TransportKind kind) => kind is TransportKind.Udp or TransportKind.Udp6;

    /// <summary>True where nothing can be lost or overtaken.</summary>
    public static bool IsStream(this TransportKind kind) => kind is TransportKind.Rssl or TransportKind.Tcp;
}
