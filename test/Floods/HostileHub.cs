using System.Buffers.Binary;
using System.Globalization;
using System.Net.Sockets;
using System.Text;
using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.Transport;

namespace Floods;

/// <summary>Consumers and publishers that attack a hub shared with others: each endlessly sends messages that cost it little.</summary>
/// <remarks>Floods hub kind host consumersPort providersPort seconds. The hub may close the connection: it reconnects.</remarks>
internal static class HostileHub
{
    private const int Parallel = 4; // connections of a kind that uses several
    private const ushort ServiceId = 7_001;
    private const string Service = "HOSTILE";

    private static readonly Dictionary<string, Func<Target, CancellationToken, Task>> All = new()
    {
        ["new-fields"] = PostNewFieldsAsync,
        ["long-updates"] = (target, stop) => PublishAsync(target, LongUpdatesAsync, stop),
        ["long-image"] = (target, stop) => PublishAsync(target, LongImageAsync, stop),
        ["directory"] = (target, stop) => PublishAsync(target, DirectoriesAsync, stop),
        ["directory-change"] = (target, stop) => PublishAsync(target, ChangingDirectoryAsync, stop),
        ["great-info"] = (target, stop) => PublishAsync(target, GreatInfoAsync, stop),
        ["names"] = AskAndCloseAsync,
        ["images"] = (target, stop) => PublishAsync(target, ManyImagesAsync, stop),
        ["publishers-leave"] = (target, stop) => PublishAsync(target, ImagesThenLeaveAsync, stop),
        ["consumers-leave"] = OpenThenLeaveAsync,
        ["two-publishers"] = (target, stop) => Task.WhenAll(Enumerable.Range(0, Parallel).Select(_ => PublishAsync(target, OpenAndEndAsync, stop))),
        ["shapes"] = (target, stop) => PublishAsync(target, EverNewShapesAsync, stop),
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
        if (args is not [var kind, var host, var consumers, var providers, var seconds] || !All.TryGetValue(kind, out Func<Target, CancellationToken, Task>? run))
        {
            Console.Error.WriteLine($"usage: Floods hub kind host consumersPort providersPort seconds     (kinds: {string.Join(", ", Kinds)})");
            return 2;
        }

        using CancellationTokenSource stop = new(TimeSpan.FromSeconds(double.Parse(seconds, CultureInfo.InvariantCulture)));
        Target target = new(host, int.Parse(consumers, CultureInfo.InvariantCulture), int.Parse(providers, CultureInfo.InvariantCulture));
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
    private static async Task PostNewFieldsAsync(Target target, CancellationToken stop)
    {
        await using Peer publisher = await target.PublishAsync(stop);
        await publisher.SendAsync(Directory(Services(1)), stop);
        for (int i = 0; i < 200; i++)
            await publisher.SendAsync(Image(-6 - i, $"P{i}", List(1, 3)), stop);
        await using Peer slow = await target.ConsumeAsync(reads: false, stop);
        await using Peer poster = await target.ConsumeAsync(reads: true, stop);
        foreach (Peer peer in (Peer[])[slow, poster])
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

    private static async Task LongUpdatesAsync(Peer peer, CancellationToken stop)
    {
        await peer.SendAsync(Image(-6, "LONG", List(1, 70)), stop);
        for (int round = 0; ; round++)
            await peer.SendAsync(Update(-6, List(-32_000 + (round * 20_000 % 40_000), 20_000)), stop); // 80 KB
    }

    private static async Task LongImageAsync(Peer peer, CancellationToken stop)
    {
        byte[] image = Image(-6, "LONG", List(1, 2_000, valueBytes: 250));
        while (true)
        {
            await peer.SendAsync(image, stop);
            for (int i = 0; i < 500; i++)
                await peer.SendAsync(Update(-6, List(1 + (i * 3), 1 + (i % 7))), stop);
        }
    }

    private static async Task DirectoriesAsync(Peer peer, CancellationToken stop)
    {
        for (int round = 0; ; round++)
            await peer.SendAsync(Directory(Services(4_000, first: 10_000 + (round % 2 * 5_000))), stop);
    }

    private static async Task ChangingDirectoryAsync(Peer peer, CancellationToken stop)
    {
        await peer.SendAsync(Directory(Services(1_000)), stop);
        for (int round = 0; ; round++)
            await peer.SendAsync(Directory([new ServiceOffer { Name = Service, Id = ServiceId, Vendor = $"V{round}" }], isWhole: false), stop);
    }

    private static async Task GreatInfoAsync(Peer peer, CancellationToken stop)
    {
        string vendor = new('v', 55_000);
        for (int round = 0; ; round++)
            await peer.SendAsync(Directory([new ServiceOffer { Name = $"G{round}", Id = (ushort)(20_000 + (round % 500)), Vendor = vendor }], isWhole: false), stop);
    }

    private static async Task AskAndCloseAsync(Target target, CancellationToken stop)
    {
        await using Peer publisher = await target.PublishAsync(stop);
        await publisher.SendAsync(Directory(Services(1)), stop);
        await using Peer peer = await target.ConsumeAsync(reads: true, stop);
        for (int number = 0; ; number++)
        {
            await peer.SendAsync(Request(10 + number, $"NAME{number}"), stop);
            if (number >= 100)
                await peer.SendAsync(Close(10 + number - 100), stop);
        }
    }

    private static async Task ManyImagesAsync(Peer peer, CancellationToken stop)
    {
        byte[] list = List(1, 20, valueBytes: 4);
        for (int number = 0; ; number++)
            await peer.SendAsync(Image(-6 - number, $"IMAGE{number}", list), stop);
    }

    private static async Task ImagesThenLeaveAsync(Peer peer, CancellationToken stop)
    {
        byte[] list = List(1, 20, valueBytes: 4);
        for (int number = 0; number < 50_000; number++)
            await peer.SendAsync(Image(-6 - number, $"IMAGE{number}", list), stop);
    }

    private static async Task OpenThenLeaveAsync(Target target, CancellationToken stop)
    {
        await using Peer publisher = await target.PublishAsync(stop);
        await publisher.SendAsync(Directory(Services(1)), stop);
        while (true)
        {
            await using Peer peer = await target.ConsumeAsync(reads: true, stop);
            for (int number = 0; number < 100_000; number++)
                await peer.SendAsync(Request(10 + number, $"NAME{number}"), stop);
        }
    }

    private static async Task OpenAndEndAsync(Peer peer, CancellationToken stop)
    {
        byte[] image = Image(-6, "SHARED", List(1, 5)), end = End(-6);
        while (true)
        {
            await peer.SendAsync(image, stop);
            await peer.SendAsync(Update(-6, List(1, 5)), stop);
            await peer.SendAsync(end, stop);
        }
    }

    private static async Task EverNewShapesAsync(Peer peer, CancellationToken stop)
    {
        for (int i = 0; i < 1_000; i++)
            await peer.SendAsync(Image(-6 - i, $"SHAPE{i}", List(1, 50)), stop);
        for (int round = 0; ; round++)
            await peer.SendAsync(Update(-6 - (round % 1_000), List(1 + (round % 30_000), 1 + (round % 40))), stop);
    }

    private static async Task ReissueAsync(Target target, CancellationToken stop)
    {
        await using Peer publisher = await target.PublishAsync(stop);
        await publisher.SendAsync(Directory(Services(1)), stop);
        await publisher.SendAsync(Image(-6, "GREAT", List(1, 2_000, valueBytes: 30)), stop);
        await using Peer peer = await target.ConsumeAsync(reads: true, stop);
        while (true)
            await peer.SendAsync(Request(10, "GREAT"), stop);
    }

    private static async Task BatchesAsync(Target target, CancellationToken stop)
    {
        await using Peer publisher = await target.PublishAsync(stop);
        await publisher.SendAsync(Directory(Services(1)), stop);
        while (true)
        {
            await using Peer peer = await target.ConsumeAsync(reads: true, stop);
            for (int i = 0; i < 40; i++)
                await peer.SendAsync(Batch(10 + (i * 10_000), 8_000), stop);
        }
    }

    private static async Task SnapshotsAsync(Target target, CancellationToken stop)
    {
        await using Peer peer = await target.ConsumeAsync(reads: true, stop);
        for (int number = 0; ; number++)
            await peer.SendAsync(Request(10 + (number % 100_000), $"SNAP{number}", isStreaming: false, serviceId: 1), stop);
    }

    private static async Task PostsWithAcksAsync(Target target, CancellationToken stop)
    {
        await using Peer peer = await target.ConsumeAsync(reads: true, stop);
        await peer.SendAsync(Request(10, "RDT1", serviceId: 1), stop);
        byte[] list = List(22, 3);
        for (uint id = 0; ; id++)
            await peer.SendAsync(Post(10, list, id), stop);
    }

    private static async Task LargePostsAsync(Target target, CancellationToken stop)
    {
        await using Peer publisher = await target.PublishAsync(stop);
        await publisher.SendAsync(Directory(Services(1)), stop);
        await publisher.SendAsync(Image(-6, "POSTED", List(1, 3)), stop);
        await using Peer peer = await target.ConsumeAsync(reads: true, stop);
        await peer.SendAsync(Request(10, "POSTED"), stop);
        byte[] post = Post(10, List(1, 2_000, valueBytes: 250));
        while (true)
            await peer.SendAsync(post, stop);
    }

    // Watches all items of the live source, and reads nothing.
    private static async Task ReadNothingAsync(Target target, CancellationToken stop)
    {
        await using Peer peer = await target.ConsumeAsync(reads: false, stop);
        for (int number = 1; number <= 1_000; number++)
            await peer.SendAsync(Request(10 + number, $"RDT{number}", serviceId: 1), stop);
        while (true)
        {
            await peer.SendAsync(Request(10, "RDT1", serviceId: 1), stop);
            await Task.Delay(1, stop);
        }
    }

    private static async Task LogInAndLeaveAsync(Target target, CancellationToken stop)
    {
        while (true)
        {
            await using Peer peer = await target.ConsumeAsync(reads: false, stop);
        }
    }

    private static async Task AskForDirectoryAsync(Target target, CancellationToken stop)
    {
        await using Peer publisher = await target.PublishAsync(stop);
        await publisher.SendAsync(Directory(Services(1_000)), stop);
        await using Peer peer = await target.ConsumeAsync(reads: true, stop);
        byte[] room = new byte[1_024];
        byte[] request = room[..DirectoryConsumer.EncodeRequest(room)];
        while (true)
            await peer.SendAsync(request, stop);
    }

    private static async Task NoiseAsync(Target target, CancellationToken stop)
    {
        Random random = new(target.Connections);
        await using Peer peer = random.Next(2) == 0 ? await target.ConsumeAsync(reads: false, stop) : await target.PublishAsync(stop);
        for (int i = 0; i < 100; i++)
        {
            byte[] message = Image(-6, "NOISE", List(1, 50));
            for (int damage = 0; damage < 3; damage++)
                message[random.Next(message.Length)] = (byte)random.Next(256);
            await peer.SendAsync(message, stop);
        }
    }

    private static async Task HoldSilentSocketsAsync(Target target, CancellationToken stop)
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

    private static async Task PublishAsync(Target target, Func<Peer, CancellationToken, Task> publish, CancellationToken stop)
    {
        await using Peer peer = await target.PublishAsync(stop);
        await peer.SendAsync(Directory(Services(1)), stop);
        await publish(peer, stop);
    }

    private static ServiceOffer[] Services(int count, int first = ServiceId) =>
        [.. Enumerable.Range(first, count).Select(number => new ServiceOffer { Name = number == ServiceId ? Service : $"S{number}", Id = (ushort)number })];

    private static byte[] Directory(IReadOnlyList<ServiceOffer> services, bool isWhole = true)
    {
        byte[] room = new byte[1_024 + services.Sum(service => service.MaxEntryBytes)];
        RwfWriter writer = new(room);
        writer.TryWriteHeader(new RwfMsg
        {
            MsgClass = MsgClass.Refresh,
            DomainType = DomainType.Source,
            StreamId = StreamIds.PublishedDirectory,
            Flags = RefreshFlags.HasMsgKey | RefreshFlags.RefreshComplete | (isWhole ? RefreshFlags.ClearCache : 0),
            ContainerType = DataType.Map,
            State = new RwfState(StreamState.Open, DataState.Ok),
            GroupId = DomainMsg.GroupId,
            Key = new MsgKey { Flags = MsgKeyFlags.HasFilter, Filter = DirectoryFilter.OfConsumers },
        });
        ServiceWriter.WriteMap(ref writer, services, onlyId: null);
        return room[..writer.Written];
    }

    private static byte[] Image(int streamId, string name, byte[] list) => Write(new RwfMsg
    {
        MsgClass = MsgClass.Refresh,
        DomainType = DomainType.MarketPrice,
        StreamId = streamId,
        Flags = RefreshFlags.HasMsgKey | RefreshFlags.RefreshComplete | RefreshFlags.ClearCache,
        ContainerType = DataType.FieldList,
        State = new RwfState(StreamState.Open, DataState.Ok),
        GroupId = DomainMsg.GroupId,
        Key = KeyOf(name, ServiceId),
        Payload = list,
    });

    private static byte[] End(int streamId) => Write(new RwfMsg
    {
        MsgClass = MsgClass.Status,
        DomainType = DomainType.MarketPrice,
        StreamId = streamId,
        Flags = StatusFlags.HasState,
        ContainerType = DataType.NoData,
        State = new RwfState(StreamState.Closed, DataState.Suspect),
    });

    private static byte[] Update(int streamId, byte[] list)
    {
        byte[] message = new byte[UpdateHeader.Length + list.Length];
        UpdateHeader.Write(message, DomainType.MarketPrice, streamId, DataType.FieldList, UpdateType.Quote);
        list.CopyTo(message, UpdateHeader.Length);
        return message;
    }

    private static byte[] Request(int streamId, string name, bool isStreaming = true, ushort serviceId = ServiceId) => Write(new RwfMsg
    {
        MsgClass = MsgClass.Request,
        DomainType = DomainType.MarketPrice,
        StreamId = streamId,
        Flags = isStreaming ? RequestFlags.Streaming : 0,
        Key = KeyOf(name, serviceId),
    });

    private static byte[] Batch(int streamId, int names)
    {
        byte[] room = new byte[256 * 1_024];
        RwfWriter writer = new(room);
        BatchRequest.Begin(ref writer, streamId, new ServiceInfo { Id = ServiceId }, isStreaming: true);
        for (int i = 0; i < names; i++)
            writer.WriteItem(Encoding.ASCII.GetBytes($"B{streamId + i:X}"));
        return room[..BatchRequest.End(ref writer)];
    }

    private static byte[] Close(int streamId) =>
        Write(new RwfMsg { MsgClass = MsgClass.Close, DomainType = DomainType.MarketPrice, StreamId = streamId });

    private static byte[] Post(int streamId, byte[] list, uint? id = null) => Write(new RwfMsg
    {
        MsgClass = MsgClass.Post,
        DomainType = DomainType.MarketPrice,
        StreamId = streamId,
        Flags = PostFlags.PostComplete | (id is null ? 0 : PostFlags.Ack | PostFlags.HasPostId),
        PostId = id ?? 0,
        ContainerType = DataType.FieldList,
        Payload = list,
    });

    private static byte[] List(int firstId, int count, int valueBytes = 1)
    {
        byte[] list = new byte[3 + (count * (3 + valueBytes))];
        list[0] = ListFlags.HasStandardData;
        BinaryPrimitives.WriteUInt16BigEndian(list.AsSpan(1), (ushort)count);
        for (int i = 0, at = 3; i < count; i++, at += 3 + valueBytes)
        {
            BinaryPrimitives.WriteInt16BigEndian(list.AsSpan(at), (short)(firstId + i));
            list[at + 2] = (byte)valueBytes;
        }

        return list;
    }

    private static MsgKey KeyOf(string name, ushort serviceId) => new()
    {
        Flags = MsgKeyFlags.HasServiceId | MsgKeyFlags.HasName,
        ServiceId = serviceId,
        Name = Encoding.ASCII.GetBytes(name),
    };

    private static byte[] Write(scoped in RwfMsg msg)
    {
        byte[] room = new byte[512 + msg.Payload.Length];
        RwfWriter writer = new(room);
        writer.TryWriteHeader(msg);
        writer.WriteRaw(msg.Payload);
        return room[..writer.Written];
    }

    // The attacked hub.
    private sealed class Target(string host, int consumers, int providers)
    {
        public string Host => host;

        public int Consumers => consumers;

        public int Providers => providers;

        public long Bytes;

        public int Connections;

        public int Ended { get; set; }

        public Task<Peer> ConsumeAsync(bool reads, CancellationToken stop) => LogInAsync(consumers, LoginRole.Consumer, reads, stop);

        public Task<Peer> PublishAsync(CancellationToken stop) => LogInAsync(providers, LoginRole.Provider, reads: true, stop);

        private async Task<Peer> LogInAsync(int port, LoginRole role, bool reads, CancellationToken stop)
        {
            Interlocked.Increment(ref Connections);
            Socket socket = new(SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
            await socket.ConnectAsync(host, port, stop);
            NetworkStream stream = new(socket, ownsSocket: true);
            RsslConnection connection = await RsslConnection.OpenClientAsync(
                new StreamDuplex(stream), new ConnectOptions { Host = host, Port = port }, stop);
            byte[] room = new byte[1_024];
            LoginConsumer login = new(new LoginIdentity { UserName = "hostile", ApplicationName = "Floods", Position = "127.0.0.1/net", Role = role });
            await connection.SendAsync(room.AsMemory(0, login.EncodeRequest(room)), stop);
            await connection.FlushAsync(stop);
            await connection.ReadAsync(stop);
            return new Peer(this, connection, stream, reads, stop);
        }
    }

    // One connection of an attacker; received bytes are discarded below the connection object, which allows one caller, or not even read.
    private sealed class Peer : IAsyncDisposable
    {
        private const int BytesBeforeFlush = 32 * 1_024;

        private readonly Target _target;
        private readonly RsslConnection _connection;
        private readonly NetworkStream _stream;
        private readonly CancellationTokenSource _ending;
        private readonly Task _reading;
        private int _unflushed;

        public Peer(Target target, RsslConnection connection, NetworkStream stream, bool reads, CancellationToken stop)
        {
            (_target, _connection, _stream) = (target, connection, stream);
            _ending = CancellationTokenSource.CreateLinkedTokenSource(stop);
            _reading = reads ? ReadAsync() : Task.CompletedTask;
        }

        public async Task SendAsync(byte[] message, CancellationToken stop)
        {
            RsslChannel channel = _connection.Channel;
            while (!TryQueue(channel, message))
            {
                if (channel.State != ChannelState.Active || channel.OutputBuffersInUse == 0)
                    throw new IOException(channel.Closed?.Text);
                await _connection.FlushAsync(stop);
            }

            Interlocked.Add(ref _target.Bytes, message.Length);
            if ((_unflushed += message.Length) < BytesBeforeFlush)
                return;
            _unflushed = 0;
            await _connection.FlushAsync(stop);
        }

        public async ValueTask DisposeAsync()
        {
            await _ending.CancelAsync();
            try
            {
                await _reading;
            }
            catch (Exception problem) when (problem is IOException or SocketException or OperationCanceledException)
            {
                // it has ended
            }

            await _connection.DisposeAsync();
            await _stream.DisposeAsync();
            _ending.Dispose();
        }

        private static bool TryQueue(RsslChannel channel, byte[] message)
        {
            if (!channel.TryBeginMessage(message.Length, out Span<byte> room))
                return false;
            message.CopyTo(room);
            channel.EndMessage(message.Length);
            return true;
        }

        private async Task ReadAsync()
        {
            byte[] room = new byte[64 * 1_024];
            while (await _stream.ReadAsync(room, _ending.Token) > 0)
            {
            }
        }
    }
}
