using System.Globalization;
using System.Net.Sockets;
using PerfCommon.Domains;
using static Floods.HubMessages;

namespace Floods;

/// <summary>Consumers and publishers that attack a hub shared with others: each endlessly sends messages that cost it little.</summary>
/// <remarks>Floods hub kind host consumersPort providersPort seconds. The hub may close the connection: it reconnects.</remarks>
internal static class HostileHub
{
    private const int Parallel = 4; // connections of a kind that uses several

    private static readonly Dictionary<string, Func<AttackedHub, CancellationToken, Task>> All = new()
    {
        ["new-fields"] = PostNewFieldsAsync,
        ["long-updates"] = (target, stop) => PublishAsync(target, HostilePublishers.LongUpdatesAsync, stop),
        ["long-image"] = (target, stop) => PublishAsync(target, HostilePublishers.LongImageAsync, stop),
        ["directory"] = (target, stop) => PublishAsync(target, HostilePublishers.DirectoriesAsync, stop),
        ["directory-change"] = (target, stop) => PublishAsync(target, HostilePublishers.ChangingDirectoryAsync, stop),
        ["great-info"] = (target, stop) => PublishAsync(target, HostilePublishers.GreatInfoAsync, stop),
        ["names"] = AskAndCloseAsync,
        ["images"] = (target, stop) => PublishAsync(target, HostilePublishers.ManyImagesAsync, stop),
        ["publishers-leave"] = (target, stop) => PublishAsync(target, HostilePublishers.ImagesThenLeaveAsync, stop),
        ["consumers-leave"] = OpenThenLeaveAsync,
        ["two-publishers"] = (target, stop) =>
            Task.WhenAll(Enumerable.Range(0, Parallel).Select(_ => PublishAsync(target, HostilePublishers.OpenAndEndAsync, stop))),
        ["shapes"] = (target, stop) => PublishAsync(target, HostilePublishers.EverNewShapesAsync, stop),
        ["reissues"] = ReissueAsync,
        ["batches"] = BatchesAsync,
        ["snapshots"] = SnapshotsAsync,
        ["posts"] = PostsWithAcksAsync,
        ["large-posts"] = LargePostsAsync,
        ["slow-readers"] = (target, stop) => Task.WhenAll(Enumerable.Range(0, Parallel).Select(_ => ReadNothingAsync(target, stop))),
        ["logins"] = LogInAndLeaveAsync,
        ["directory-requests"] = AskForDirectoryAsync,
        ["noise"] = NoiseAsync,
        ["silent"] = HoldSilentSocketsAsync,
    };

    public static IEnumerable<string> Kinds => All.Keys;

    public static async Task<int> RunAsync(string[] args)
    {
        if (args is not [var kind, var host, var consumers, var providers, var seconds]
            || !All.TryGetValue(kind, out Func<AttackedHub, CancellationToken, Task>? run))
        {
            Console.Error.WriteLine($"usage: Floods hub kind host consumersPort providersPort seconds     (kinds: {string.Join(", ", Kinds)})");
            return 2;
        }

        using CancellationTokenSource stop = new(TimeSpan.FromSeconds(double.Parse(seconds, CultureInfo.InvariantCulture)));
        AttackedHub target = new(host, int.Parse(consumers, CultureInfo.InvariantCulture), int.Parse(providers, CultureInfo.InvariantCulture));
        while (!stop.IsCancellationRequested)
        {
            try
            {
                await run(target, stop.Token);
            }
            catch (Exception problem) when (problem is IOException or SocketException or OperationCanceledException)
            {
                target.Ended++; // closed, or ended
            }
        }

        Console.WriteLine(string.Create(CultureInfo.InvariantCulture,
            $"{kind,-18} {target.Bytes / 1e6,8:F1} MB sent, {target.Connections} connections, {target.Ended} of them ended"));
        return 0;
    }

    // Posts updates with ever new fields to many items that a slow consumer watches.
    private static async Task PostNewFieldsAsync(AttackedHub target, CancellationToken stop)
    {
        await using AttackingPeer publisher = await target.PublishAsync(stop);
        await publisher.SendAsync(Directory(Services(1)), stop);
        for (int i = 0; i < 200; i++)
            await publisher.SendAsync(Image(-6 - i, $"P{i}", List(1, 3)), stop);
        await using AttackingPeer slow = await target.ConsumeAsync(reads: false, stop);
        await using AttackingPeer poster = await target.ConsumeAsync(reads: true, stop);
        foreach (AttackingPeer peer in (AttackingPeer[])[slow, poster])
        {
            for (int i = 0; i < 200; i++)
                await peer.SendAsync(Request(10 + i, $"P{i}"), stop);
        }

        for (int round = 0; ; round++)
        {
            for (int i = 0; i < 200; i++)
                await poster.SendAsync(Post(10 + i, List(-32_000 + (round * 1_400 % 63_000), 1_400)), stop);
        }
    }

    private static async Task AskAndCloseAsync(AttackedHub target, CancellationToken stop)
    {
        await using AttackingPeer publisher = await target.PublishAsync(stop);
        await publisher.SendAsync(Directory(Services(1)), stop);
        await using AttackingPeer peer = await target.ConsumeAsync(reads: true, stop);
        for (int number = 0; ; number++)
        {
            await peer.SendAsync(Request(10 + number, $"NAME{number}"), stop);
            if (number >= 100)
                await peer.SendAsync(Close(10 + number - 100), stop);
        }
    }

    private static async Task OpenThenLeaveAsync(AttackedHub target, CancellationToken stop)
    {
        await using AttackingPeer publisher = await target.PublishAsync(stop);
        await publisher.SendAsync(Directory(Services(1)), stop);
        while (true)
        {
            await using AttackingPeer peer = await target.ConsumeAsync(reads: true, stop);
            for (int number = 0; number < 100_000; number++)
                await peer.SendAsync(Request(10 + number, $"NAME{number}"), stop);
        }
    }

    private static async Task ReissueAsync(AttackedHub target, CancellationToken stop)
    {
        await using AttackingPeer publisher = await target.PublishAsync(stop);
        await publisher.SendAsync(Directory(Services(1)), stop);
        await publisher.SendAsync(Image(-6, "GREAT", List(1, 2_000, valueBytes: 30)), stop);
        await using AttackingPeer peer = await target.ConsumeAsync(reads: true, stop);
        while (true)
            await peer.SendAsync(Request(10, "GREAT"), stop);
    }

    private static async Task BatchesAsync(AttackedHub target, CancellationToken stop)
    {
        await using AttackingPeer publisher = await target.PublishAsync(stop);
        await publisher.SendAsync(Directory(Services(1)), stop);
        while (true)
        {
            await using AttackingPeer peer = await target.ConsumeAsync(reads: true, stop);
            for (int i = 0; i < 40; i++)
                await peer.SendAsync(Batch(10 + (i * 10_000), 8_000), stop);
        }
    }

    private static async Task SnapshotsAsync(AttackedHub target, CancellationToken stop)
    {
        await using AttackingPeer peer = await target.ConsumeAsync(reads: true, stop);
        for (int number = 0; ; number++)
            await peer.SendAsync(Request(10 + (number % 100_000), $"SNAP{number}", isStreaming: false, serviceId: 1), stop);
    }

    private static async Task PostsWithAcksAsync(AttackedHub target, CancellationToken stop)
    {
        await using AttackingPeer peer = await target.ConsumeAsync(reads: true, stop);
        await peer.SendAsync(Request(10, "RDT1", serviceId: 1), stop);
        byte[] list = List(22, 3);
        for (uint id = 0; ; id++)
            await peer.SendAsync(Post(10, list, id), stop);
    }

    private static async Task LargePostsAsync(AttackedHub target, CancellationToken stop)
    {
        await using AttackingPeer publisher = await target.PublishAsync(stop);
        await publisher.SendAsync(Directory(Services(1)), stop);
        await publisher.SendAsync(Image(-6, "POSTED", List(1, 3)), stop);
        await using AttackingPeer peer = await target.ConsumeAsync(reads: true, stop);
        await peer.SendAsync(Request(10, "POSTED"), stop);
        byte[] post = Post(10, List(1, 2_000, valueBytes: 250));
        while (true)
            await peer.SendAsync(post, stop);
    }

    // Watches all items of the live source, and reads nothing.
    private static async Task ReadNothingAsync(AttackedHub target, CancellationToken stop)
    {
        await using AttackingPeer peer = await target.ConsumeAsync(reads: false, stop);
        for (int number = 1; number <= 1_000; number++)
            await peer.SendAsync(Request(10 + number, $"RDT{number}", serviceId: 1), stop);
        while (true)
        {
            await peer.SendAsync(Request(10, "RDT1", serviceId: 1), stop);
            await Task.Delay(1, stop);
        }
    }

    private static async Task LogInAndLeaveAsync(AttackedHub target, CancellationToken stop)
    {
        while (true)
        {
            await using AttackingPeer peer = await target.ConsumeAsync(reads: false, stop);
        }
    }

    private static async Task AskForDirectoryAsync(AttackedHub target, CancellationToken stop)
    {
        await using AttackingPeer publisher = await target.PublishAsync(stop);
        await publisher.SendAsync(Directory(Services(1_000)), stop);
        await using AttackingPeer peer = await target.ConsumeAsync(reads: true, stop);
        byte[] room = new byte[1_024];
        byte[] request = room[..DirectoryConsumer.EncodeRequest(room)];
        while (true)
            await peer.SendAsync(request, stop);
    }

    private static async Task NoiseAsync(AttackedHub target, CancellationToken stop)
    {
        Random random = new(target.Connections);
        await using AttackingPeer peer = random.Next(2) == 0 ? await target.ConsumeAsync(reads: false, stop) : await target.PublishAsync(stop);
        for (int i = 0; i < 100; i++)
        {
            byte[] message = Image(-6, "NOISE", List(1, 50));
            for (int damage = 0; damage < 3; damage++)
                message[random.Next(message.Length)] = (byte)random.Next(256);
            await peer.SendAsync(message, stop);
        }
    }

    private static async Task HoldSilentSocketsAsync(AttackedHub target, CancellationToken stop)
    {
        List<TcpClient> sockets = [];
        try
        {
            for (int i = 0; i < 2_000; i++)
            {
                TcpClient socket = new();
                sockets.Add(socket);
                target.Connections++;
                await socket.ConnectAsync(target.Host, i % 2 == 0 ? target.Consumers : target.Providers, stop);
            }

            await Task.Delay(1_000, stop);
        }
        finally
        {
            sockets.ForEach(socket => socket.Dispose());
        }
    }

    private static async Task PublishAsync(AttackedHub target, Func<AttackingPeer, CancellationToken, Task> publish, CancellationToken stop)
    {
        await using AttackingPeer peer = await target.PublishAsync(stop);
        await peer.SendAsync(Directory(Services(1)), stop);
        await publish(peer, stop);
    }
}
