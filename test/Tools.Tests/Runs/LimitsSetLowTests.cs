using System.Net;
using System.Net.Sockets;
using PerfCommon.Transport;
using Xunit;

namespace Tools.Tests.Runs;

/// <summary>
/// Each limit of docs/limits.md that an option of a connection sets, set low in every program that has the option, and a peer that exceeds it: its
/// connection is closed, and the program continues.
/// </summary>
public class LimitsSetLowTests
{
    private const string LongFrames = "-maxFragmentSize 500";
    private const string LongMessages = "-maxMessageSize 1000";
    private const string ManyMessages = "-reassemblyLimit 1000";
    private const string Silence = "-pingTimeout 1";
    private const string SilenceOfServer = $"{Silence} -minPingTimeout 1";

    private static readonly Dictionary<string, string> Servers = new(StringComparer.Ordinal)
    {
        ["ProvPerf"] = "-p 0 -runTime 300",
        ["HubPerf"] = "-p 0 -niPort 0 -runTime 300",
        ["TransportPerf"] = "-p 0 -runTime 300 -msgRate 1000",
    };

    private static readonly Dictionary<string, string> Clients = new(StringComparer.Ordinal)
    {
        ["ConsPerf"] = "-p PORT -steadyStateTime 300",
        ["NIProvPerf"] = "-p PORT -runTime 300",
        ["UsersPerf"] = "-p PORT -users 1 -runTime 300",
        ["TransportPerf"] = "-appType client -p PORT -runTime 300",
        ["HubPerf"] = "-p 0 -niPort 0 -runTime 300 -minPingTimeout 1 -upstream localhost:PORT",
    };

    private static CancellationToken Cancel => TestContext.Current.CancellationToken;

    public static TheoryData<string, string> ServerLimits() => Pairs(Servers.Keys, [LongFrames, LongMessages, ManyMessages, SilenceOfServer]);

    public static TheoryData<string, string> ClientLimits() => Pairs(Clients.Keys, [LongMessages, ManyMessages, Silence]);

    [Theory]
    [MemberData(nameof(ServerLimits))]
    public async Task Server_ClientBeyondTheLimit_IsClosedAndTheNextServed(string tool, string limit)
    {
        using RunFolder folder = new();
        RunningTool server = folder.Start(tool, $"{Servers[tool]} {limit}");
        ConnectOptions to = new() { Host = "localhost", Port = server.Port, PingTimeoutSeconds = 1 };
        if (tool == "TransportPerf")
            to = to with { ProtocolType = RsslProtocol.TransportPerf, MajorVersion = 0, MinorVersion = 0 };
        await using RawPeer peer = await RawPeer.ConnectAsync(to, Cancel);
        GoBeyond(peer, limit);
        peer.WaitForEnd();
        await using RawPeer next = await RawPeer.ConnectAsync(to, Cancel);
        Assert.False(server.HasExited);
    }

    [Theory]
    [MemberData(nameof(ClientLimits))]
    public async Task Client_ServerBeyondTheLimit_IsLeft(string tool, string limit)
    {
        using RunFolder folder = new();
        using Socket listener = new(AddressFamily.InterNetworkV6, SocketType.Stream, ProtocolType.Tcp) { DualMode = true };
        listener.Bind(new IPEndPoint(IPAddress.IPv6Any, 0));
        listener.Listen();
        int port = ((IPEndPoint)listener.LocalEndPoint!).Port;
        folder.Start(tool, $"{Clients[tool].Replace("PORT", $"{port}", StringComparison.Ordinal)} {limit}");
        ListenOptions options = new() { Port = 0, PingTimeoutSeconds = 1, MinPingTimeoutSeconds = 1 };
        if (tool == "TransportPerf")
            options = options with { ProtocolType = RsslProtocol.TransportPerf };
        await using RawPeer peer = await RawPeer.AcceptAsync(listener, options, Cancel);
        GoBeyond(peer, limit);
        peer.WaitForEnd();
    }

    private static void GoBeyond(RawPeer peer, string limit)
    {
        switch (limit)
        {
            case LongFrames:
                peer.TrySay(RawPeer.LongFrame(5_000));
                break;
            case LongMessages:
                peer.TrySay(RawPeer.BeginMessage(2_000, 1));
                break;
            case ManyMessages:
                Assert.True(peer.TrySay(RawPeer.BeginMessage(900, 1)));
                peer.TrySay(RawPeer.BeginMessage(900, 2));
                break;
            default: // says nothing
                break;
        }
    }

    private static TheoryData<string, string> Pairs(IEnumerable<string> tools, string[] limits)
    {
        TheoryData<string, string> data = [];
        foreach (string tool in tools)
        {
            foreach (string limit in limits)
                data.Add(tool, limit);
        }

        return data;
    }
}
