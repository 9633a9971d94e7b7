using System.Net;
using System.Net.Sockets;
using PerfCommon.Measurement;
using PerfTools.Hosting.Running;
using PerfTools.Machine;
using PerfTools.Results.Documents;

namespace PerfTools.Ranks;

/// <summary>Describes this process, one of those that carry out a run together, for run.json.</summary>
internal static class ThisRank
{
    private const int AnyPort = 9;
    private const double BytesPerMegabyte = 1_048_576;

    // The network reserved for documentation (RFC 5737): a socket bound for it sends nothing, and shows the default route.
    private static readonly IPAddress Elsewhere = IPAddress.Parse("192.0.2.1");

    /// <summary>Describes this process and its machine.</summary>
    /// <param name="rank">The rank, from 0.</param>
    /// <param name="ranks">The number of ranks.</param>
    /// <param name="roles">Its roles.</param>
    /// <param name="address">The address at which others reach it; null for the address of the default route.</param>
    public static RankDescription Describe(int rank, int ranks, IEnumerable<string> roles, string? address)
    {
        MachineDescription machine = ThisMachine.Description;
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
            return IPAddress.Loopback.ToString(); // no route: only this machine is reachable
        }
    }

    private static string? FindCard(string address) =>
        NetworkCard.Find(address) is { } card
        ? string.Join(", ", [SystemHardware.OfThis.DescribeCard(card.Name), .. CardOffloads.Of(card.Name) is { } offloads ? [offloads] : (string[])[]]) : null;
}
