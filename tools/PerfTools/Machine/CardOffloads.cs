using System.Net.Sockets;
using System.Runtime.InteropServices;
using System.Text;

namespace PerfTools.Machine;

/// <summary>Reads which work a network card takes from the processor (Linux's ethtool requests, which need no privilege).</summary>
internal static partial class CardOffloads
{
    // SIOCETHTOOL, and of struct ifreq: the name, then a pointer to the request
    private const nuint EthernetTool = 0x8946;
    private const int MaxName = 15;

    // ETHTOOL_GTSO, ETHTOOL_GGSO, ETHTOOL_GGRO: segments cut by the card, segments cut late, segments joined on arrival
    private static readonly (uint Request, string Name)[] Known = [(0x1E, "tso"), (0x23, "gso"), (0x2B, "gro")];

    /// <summary>Lists those that are on, as <c>tso gso gro</c>; null where the system does not report them.</summary>
    /// <param name="name">Name of the interface.</param>
    public static string? Of(string name)
    {
        if (!OperatingSystem.IsLinux() || Encoding.ASCII.GetByteCount(name) > MaxName)
            return null;
        try
        {
            using Socket socket = new(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp);
            bool?[] on = [.. Known.Select(offload => Query(socket, name, offload.Request))];
            return Array.TrueForAll(on, one => one is null) ? null
                : Known.Where((_, i) => on[i] == true).Select(offload => offload.Name).ToArray() is { Length: > 0 } names
                ? "offloads " + string.Join(' ', names) : "no offloads";
        }
        catch (SocketException)
        {
            return null;
        }
    }

    private static unsafe bool? Query(Socket socket, string name, uint request)
    {
        ToolValue value = new() { Request = request };
        InterfaceRequest query = new() { Value = &value };
        Encoding.ASCII.GetBytes(name, new Span<byte>(query.Name, MaxName));
        return Ioctl((int)socket.Handle, EthernetTool, &query) == 0 ? value.Data != 0 : null;
    }

    [LibraryImport("libc", EntryPoint = "ioctl")]
    private static unsafe partial int Ioctl(int file, nuint request, InterfaceRequest* argument);

    private struct ToolValue
    {
        public uint Request;
        public uint Data;
    }

    // struct ifreq of 64-bit Linux: 16 bytes of name and a union of 24 bytes
    [StructLayout(LayoutKind.Sequential, Size = 40)]
    private unsafe struct InterfaceRequest
    {
        public fixed byte Name[MaxName + 1];
        public ToolValue* Value;
    }
}
