using System.Net;
using System.Net.NetworkInformation;
using System.Net.Sockets;
using System.Text.Json.Serialization;
using PerfTools.Hosting.Running;
using PerfTools.Search;

namespace PerfTools.Results;

/// <summary>
/// One of the processes that made a run together, and its machine: the file by which it says that it is there, and a member of run.json.
/// </summary>
internal sealed record RankDescription
{
    private const int AnyPort = 9;
    private const double BytesPerMegabyte = 1_048_576;

    // Documentation's own network (RFC 5737): a socket that is bound for it sends nothing, and shows the default route.
    private static readonly IPAddress Elsewhere = IPAddress.Parse("192.0.2.1");

    public required int Rank { get; init; }

    /// <summary>Ranks of the run.</summary>
    public required int Ranks { get; init; }
    public required string Host { get; init; }

    /// <summary>Where others find it.</summary>
    public required string Address { get; init; }
    public required IReadOnlyList<string> Roles { get; init; }

    /// <summary>When it came, by its own clock.</summary>
    public required DateTime Utc { get; init; }
    public string? ToolsVersion { get; init; }
    public string? Commit { get; init; }
    /// <summary>Who made the machine, and which it is, by its firmware.</summary>
    public string? MachineVendor { get; init; }
    public string? MachineModel { get; init; }
    public string? ProcessorVendor { get; init; }
    public string? ProcessorModel { get; init; }

    /// <summary>Nodes of memory with processors of their own.</summary>
    public int? NumaNodes { get; init; }
    public int Processors { get; init; }

    /// <summary>Memory that it may use, in units of 1,048,576 bytes.</summary>
    public double MemoryMegabytes { get; init; }
    public string? OperatingSystem { get; init; }
    public string? Kernel { get; init; }

    /// <summary>The network card of <see cref="Address"/>: name, driver, and the speed of its link where there is a card that has one.</summary>
    public string? NetworkCard { get; init; }

    /// <summary>Open files, the hard limit; null where it is not known.</summary>
    public long? MaxFiles { get; init; }

    /// <summary>Local ports; null where it is not known.</summary>
    public int? LocalPorts { get; init; }

    /// <summary>
    /// What processes that are none of the run's used of its machine in each step, in percent of all processors; absent before the end.
    /// </summary>
    [JsonIgnore(Condition = JsonIgnoreCondition.WhenWritingNull)]
    public IReadOnlyList<double?>? StepForeignPercent { get; init; }

    /// <summary>This process and its machine.</summary>
    /// <param name="rank">From 0.</param>
    /// <param name="ranks">Ranks of the run.</param>
    /// <param name="roles">Its roles.</param>
    /// <param name="address">Where others find it; null for the address of the default route.</param>
    public static RankDescription OfThis(int rank, int ranks, IEnumerable<string> roles, string? address)
    {
        MachineDescription machine = MachineDescription.Current;
        address ??= FindAddress();
        return new()
        {
            Rank = rank,
            Ranks = ranks,
            Host = Environment.MachineName,
            Address = address,
            Roles = [.. roles],
            Utc = DateTime.UtcNow,
            ToolsVersion = machine.ToolsVersion,
            Commit = machine.Commit,
            MachineVendor = machine.MachineVendor,
            MachineModel = machine.MachineModel,
            ProcessorVendor = machine.ProcessorVendor,
            ProcessorModel = machine.ProcessorModel,
            NumaNodes = machine.NumaNodes,
            Processors = machine.Processors,
            MemoryMegabytes = GC.GetGCMemoryInfo().TotalAvailableMemoryBytes / BytesPerMegabyte,
            OperatingSystem = machine.OperatingSystem,
            Kernel = machine.Kernel,
            NetworkCard = FindCard(address),
            MaxFiles = SystemLimits.MaxFiles,
            LocalPorts = SystemLimits.LocalPorts,
        };
    }

    private static string FindAddress()
    {
        try
        {
            using Socket socket = new(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp);
            socket.Connect(Elsewhere, AnyPort);
            return ((IPEndPoint)socket.LocalEndPoint!).Address.ToString();
        }
        catch (SocketException)
        {
            return IPAddress.Loopback.ToString(); // no route: there is this machine alone
        }
    }

    private static string? FindCard(string address)
    {
        try
        {
            NetworkInterface? card = NetworkInterface.GetAllNetworkInterfaces().FirstOrDefault(
                one => one.GetIPProperties().UnicastAddresses.Any(own => own.Address.ToString() == address));
            return card is null ? null : SystemHardware.OfThis.DescribeCard(card.Name);
        }
        catch (Exception cause) when (cause is NetworkInformationException or PlatformNotSupportedException)
        {
            return null;
        }
    }
}
