using System.Globalization;
using System.Net;
using System.Net.Security;
using System.Net.Sockets;
using System.Security.Cryptography.X509Certificates;
using System.Text;
using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.Transport;

namespace Floods;

/// <summary>A provider that accepts a consumer's login, announces its service, and then floods the consumer, until it is killed.</summary>
/// <remarks>
/// It serves any number of consumers of service DIRECT_FEED on a free port, which it prints, and answers no request for an item.
/// </remarks>
internal static class HostileProvider
{
    private const int MaxMessageBytes = 6_000;
    private static readonly byte[] Room = new byte[MaxMessageBytes];
    private static readonly byte[] LongText = [.. Enumerable.Repeat((byte)'x', 4_000)];
    private static readonly Lazy<byte[]> DictionaryPart = new(() => Frames.Of(CreateDictionaryPart()));

    // Content of each flood: a constant frame, or the message of a number.
    private static readonly Dictionary<string, Func<int, byte[]>?> Floods = new()
    {
        ["none"] = null,
        ["pings"] = _ => Frames.Repeat(Frames.Ping),
        ["packs"] = _ => Frames.Repeat([0, 3, 0x12]),
        ["empty-packed"] = _ => Frames.Repeat([0, 5, 0x12, 0, 0]),
        ["fragments"] = _ => Frames.Repeat(Convert.FromHexString("000a0308000000050001")),
        ["restarts"] = CreateRestart,
        ["websocket-pings"] = _ => Frames.Repeat([0x89, 0]),
        ["tls-records"] = _ => Frames.Ping, // byte by byte
        ["dictionary"] = _ => DictionaryPart.Value,
        ["directory"] = number => Frames.Of(CreateService(number)),
        ["unknown-streams"] = number => Frames.Of(Encode(room => EncodeRefresh(room, 1_000_000 + number, DomainType.MarketPrice))),
        ["statuses"] = number => Frames.Of(CreateStatus(DomainType.MarketPrice, StreamIds.FirstItem + (number % 1_000))),
        ["login-statuses"] = _ => Frames.Of(CreateStatus(DomainType.Login, StreamIds.Login)),
        ["groups"] = number => Frames.Of(CreateMerge(number)),
        ["bad-messages"] = number => Frames.Of([.. RandomBytes(number)]),
    };

    private delegate int Encoder(Span<byte> room);

    public static IEnumerable<string> Kinds => Floods.Keys;

    /// <summary>Serves until the process is killed.</summary>
    public static async Task<int> RunAsync(string kind, string[] certificate)
    {
        if (!Floods.TryGetValue(kind, out Func<int, byte[]>? flood))
        {
            Console.Error.WriteLine($"Floods: provider {kind}: no such kind");
            return 2;
        }

        using X509Certificate2? own = certificate is [var cert, var key] ? X509Certificate2.CreateFromPemFile(cert, key) : null;
        using TcpListener listener = new(IPAddress.Loopback, 0);
        listener.Start();
        Console.WriteLine(string.Create(CultureInfo.InvariantCulture, $"Listening on port {((IPEndPoint)listener.LocalEndpoint).Port}"));
        while (true)
            _ = ServeAsync(await listener.AcceptTcpClientAsync(), kind, flood, own);
    }

    private static async Task ServeAsync(TcpClient client, string kind, Func<int, byte[]>? flood, X509Certificate2? own)
    {
        using TcpClient _ = client;
        try
        {
            await using NetworkStream plain = client.GetStream();
            await using SslStream? ssl = own is null ? null : new SslStream(plain, leaveInnerStreamOpen: true);
            if (ssl is not null)
                await ssl.AuthenticateAsServerAsync(own!);
            await ServeAsync(ssl ?? (Stream)plain, kind, flood);
        }
        catch (Exception problem) when (problem is IOException or SocketException or OperationCanceledException)
        {
            Console.WriteLine($"closed: {problem.Message}");
        }
    }

    private static async Task ServeAsync(Stream stream, string kind, Func<int, byte[]>? flood)
    {
        RsslConnection connection = await RsslConnection.OpenServerAsync(new StreamDuplex(stream), new ListenOptions { Port = 0 },
            CancellationToken.None);
        foreach (byte[] answer in (byte[][])[CreateLogin(), CreateDirectory()])
        {
            await connection.ReadAsync(CancellationToken.None); // any request gets this answer
            await connection.SendAsync(answer, CancellationToken.None);
            await connection.FlushAsync(CancellationToken.None);
        }

        await connection.ReadAsync(CancellationToken.None); // it has the service, and requests items or dictionaries
        if (flood is not { } create)
        {
            await Task.Delay(Timeout.InfiniteTimeSpan);
            return;
        }

        for (int number = 0; ; number++)
        {
            byte[] bytes = create(number);
            for (int at = 0, piece = kind == "tls-records" ? 1 : bytes.Length; at < bytes.Length; at += piece)
                await stream.WriteAsync(bytes.AsMemory(at, piece));
        }
    }

    // Encodes the answers to requests as our consumers send them.
    private static byte[] CreateLogin()
    {
        LoginProvider login = new(new LoginOffer { ApplicationName = "Floods", Position = "127.0.0.1/net" });
        login.Receive(Decode(
            Encode(new LoginConsumer(new LoginIdentity
            {
                UserName = "any",
                ApplicationName = "any",
                Position = "127.0.0.1/net"
            }).EncodeRequest)));
        return Encode(login.EncodeRefresh);
    }

    private static byte[] CreateDirectory()
    {
        DirectoryProvider directory = new(new ServiceOffer { Name = "DIRECT_FEED", Id = 1 });
        directory.Receive(Decode(Encode(DirectoryConsumer.EncodeRequest)));
        return Encode(directory.EncodeRefresh);
    }

    // Encodes the first of many parts again and again: none is marked as the last.
    private static byte[] CreateDictionaryPart()
    {
        RwfMsg request = new()
        {
            MsgClass = MsgClass.Request,
            DomainType = DomainType.Dictionary,
            StreamId = StreamIds.FieldDictionary,
            Key = new MsgKey
            {
                Flags = MsgKeyFlags.HasServiceId | MsgKeyFlags.HasName | MsgKeyFlags.HasFilter,
                ServiceId = 1,
                Name = DictionaryNames.Fields,
                Filter = DictionaryVerbosity.Normal,
            },
        };
        FieldDictionaryParts parts = new(FieldDictionary.Default, request);
        byte[] room = new byte[1_000];
        return room[..parts.EncodeNext(room)];
    }

    // Encodes one more service, with a long name.
    private static byte[] CreateService(int number) => EncodeDirectory((ref RwfWriter writer) => ServiceWriter.WriteMap(
        ref writer,
        [new ServiceOffer { Name = string.Create(CultureInfo.InvariantCulture, $"{Encoding.ASCII.GetString(LongText)}{number}"),
            Id = (ushort)(2 + (number % 65_000)) }],
        onlyId: null));

    // Encodes another group that is merged into a third.
    private static byte[] CreateMerge(int number) => EncodeDirectory((ref RwfWriter writer) =>
    {
        writer.BeginMap(DataType.UInt, DataType.FilterList);
        writer.BeginMapEntry(MapAction.Update, 1ul);
        writer.BeginFilterList(DataType.ElementList);
        writer.BeginFilterEntry(FilterAction.Update, DirectoryFilter.GroupId);
        writer.BeginElementList();
        writer.BeginElement(DirectoryElements.MergedToGroup, DataType.Buffer);
        writer.WriteContent(BitConverter.GetBytes(number + 1));
        writer.BeginElement(DirectoryElements.Group, DataType.Buffer);
        writer.WriteContent(BitConverter.GetBytes(number));
        writer.EndElementList();
        writer.EndEntry();
        writer.EndFilterList();
        writer.EndEntry();
        writer.EndMap();
    });

    private delegate void MapWriter(ref RwfWriter writer);

    private static byte[] EncodeDirectory(MapWriter write)
    {
        RwfWriter writer = new(Room);
        writer.TryWriteHeader(new RwfMsg
        {
            MsgClass = MsgClass.Update,
            DomainType = DomainType.Source,
            StreamId = StreamIds.Directory,
            ContainerType = DataType.Map
        });
        write(ref writer);
        return Room[..writer.Written];
    }

    private static int EncodeRefresh(Span<byte> room, int stream, DomainType domain) => DomainMsg.Encode(room, new RwfMsg
    {
        MsgClass = MsgClass.Refresh,
        DomainType = domain,
        StreamId = stream,
        Flags = RefreshFlags.RefreshComplete,
        ContainerType = DataType.NoData,
        State = new RwfState(StreamState.Open, DataState.Ok, StateCode.None, LongText),
        GroupId = DomainMsg.GroupId,
    });

    private static byte[] CreateStatus(DomainType domain, int stream) =>
        Encode(room =>
            DomainMsg.EncodeStatus(room, domain, stream, new RwfState(StreamState.Open, DataState.Suspect, StateCode.None, LongText)));

    // Encodes a message of 16 MB that is begun and, after a part of it, begun again.
    private static byte[] CreateRestart(int number)
    {
        byte id = (byte)(1 + (number / 200 % 60));
        byte[] frame = new byte[MaxMessageBytes];
        Convert.FromHexString(number % 200 == 0 ? "17700308010000000001" : "177003040001").CopyTo(frame, 0);
        frame[number % 200 == 0 ? 9 : 5] = id;
        return frame;
    }

    private static byte[] RandomBytes(int seed)
    {
        byte[] bytes = new byte[100];
        new Random(seed).NextBytes(bytes);
        return bytes;
    }

    private static RwfMsg Decode(byte[] message) =>
        RwfMsg.TryDecode(message, out RwfMsg msg) == DecodeResult.Success
            ? msg : throw new InvalidOperationException("our own request cannot be decoded");

    private static byte[] Encode(Encoder encode)
    {
        byte[] room = new byte[MaxMessageBytes];
        return room[..encode(room)];
    }
}
