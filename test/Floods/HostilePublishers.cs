using PerfCommon.Domains;
using static Floods.HubMessages;

namespace Floods;

/// <summary>What a publisher does that attacks a hub, once it has a service.</summary>
internal static class HostilePublishers
{
    public static async Task LongUpdatesAsync(AttackingPeer peer, CancellationToken stop)
    {
        await peer.SendAsync(Image(-6, "LONG", List(1, 70)), stop);
        for (int round = 0; ; round++)
            await peer.SendAsync(Update(-6, List(-32_000 + (round * 20_000 % 40_000), 20_000)), stop); // 80 KB
    }

    public static async Task LongImageAsync(AttackingPeer peer, CancellationToken stop)
    {
        byte[] image = Image(-6, "LONG", List(1, 2_000, valueBytes: 250));
        while (true)
        {
            await peer.SendAsync(image, stop);
            for (int i = 0; i < 500; i++)
                await peer.SendAsync(Update(-6, List(1 + (i * 3), 1 + (i % 7))), stop);
        }
    }

    public static async Task DirectoriesAsync(AttackingPeer peer, CancellationToken stop)
    {
        for (int round = 0; ; round++)
            await peer.SendAsync(Directory(Services(4_000, first: 10_000 + (round % 2 * 5_000))), stop);
    }

    public static async Task ChangingDirectoryAsync(AttackingPeer peer, CancellationToken stop)
    {
        await peer.SendAsync(Directory(Services(1_000)), stop);
        for (int round = 0; ; round++)
            await peer.SendAsync(Directory([new ServiceOffer { Name = Service, Id = ServiceId, Vendor = $"V{round}" }], isWhole: false), stop);
    }

    public static async Task GreatInfoAsync(AttackingPeer peer, CancellationToken stop)
    {
        string vendor = new('v', 55_000);
        for (int round = 0; ; round++)
        {
            await peer.SendAsync(Directory([new ServiceOffer { Name = $"G{round}", Id = (ushort)(20_000 + (round % 500)), Vendor = vendor }], isWhole: false),
                stop);
        }
    }

    public static async Task ManyImagesAsync(AttackingPeer peer, CancellationToken stop)
    {
        byte[] list = List(1, 20, valueBytes: 4);
        for (int number = 0; ; number++)
            await peer.SendAsync(Image(-6 - number, $"IMAGE{number}", list), stop);
    }

    public static async Task ImagesThenLeaveAsync(AttackingPeer peer, CancellationToken stop)
    {
        byte[] list = List(1, 20, valueBytes: 4);
        for (int number = 0; number < 50_000; number++)
            await peer.SendAsync(Image(-6 - number, $"IMAGE{number}", list), stop);
    }

    public static async Task OpenAndEndAsync(AttackingPeer peer, CancellationToken stop)
    {
        byte[] image = Image(-6, "SHARED", List(1, 5)), end = End(-6);
        while (true)
        {
            await peer.SendAsync(image, stop);
            await peer.SendAsync(Update(-6, List(1, 5)), stop);
            await peer.SendAsync(end, stop);
        }
    }

    public static async Task EverNewShapesAsync(AttackingPeer peer, CancellationToken stop)
    {
        for (int i = 0; i < 1_000; i++)
            await peer.SendAsync(Image(-6 - i, $"SHAPE{i}", List(1, 50)), stop);
        for (int round = 0; ; round++)
            await peer.SendAsync(Update(-6 - (round % 1_000), List(1 + (round % 30_000), 1 + (round % 40))), stop);
    }
}
