using System.Text;
using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.Tests.Domains;
using PerfCommon.Workers;

namespace Tools.Tests.PerfHubTests.Upstream;

/// <summary>An interactive source that answers login and directory, and leaves everything else to the test.</summary>
/// <param name="services">Its services, by name and id.</param>
internal sealed class ScriptedProvider(params (string Name, ushort Id)[] services) : Connection
{
    private readonly byte[] _room = new byte[64 * 1024];
    private readonly LoginProvider _login = new(new LoginOffer { ApplicationName = "scripted", Position = "127.0.0.1/net" });
    private readonly DirectoryProvider _directory = new([.. services.Select(service => new ServiceOffer { Name = service.Name, Id = service.Id })]);

    /// <summary>False where it does not answer requests for dictionaries; else it refuses them.</summary>
    public bool RefusesDictionary { get; init; } = true;

    /// <summary>What it has received for dictionaries and items, in order.</summary>
    public List<byte[]> Messages { get; } = [];

    /// <summary>The same, each as class, stream, and what else matters; without dictionaries.</summary>
    public List<string> Received { get; } = [];

    /// <summary>The bytes that it has received.</summary>
    public long BytesRead => Channel.BytesRead;

    public void Say(byte[] message)
    {
        if (!Output.TrySend(message, MessageKind.Other))
            throw new InvalidOperationException("no room");
        Channel.Flush();
    }

    /// <summary>Says that it has a service no longer.</summary>
    public void SayWithdrawn(ushort id) => Say(Directory((ref RwfWriter writer) => writer.BeginMapEntry(MapAction.Delete, (ulong)id)));

    /// <summary>Says that it has further services.</summary>
    public void SayServices(params (string Name, ushort Id)[] added)
    {
        byte[] message = HostileMessages.Directory([.. added.Select(service => new ServiceOffer { Name = service.Name, Id = service.Id })], isWhole: false);
        MsgPatch.SetStreamId(message, StreamIds.Directory);
        Say(message);
    }

    public void SayImage(int streamId, byte value) => Say(OnStream(streamId, SourceBench.Image(HostileMessages.List(22, 1, value: value))));

    public void SayUpdate(int streamId, byte value) => Say(HostileMessages.Update(streamId, HostileMessages.List(22, 1, value: value)));

    /// <summary>Puts a message on a stream.</summary>
    public static byte[] OnStream(int streamId, byte[] message)
    {
        MsgPatch.SetStreamId(message, streamId);
        return message;
    }

    internal override void OnOpened(long nowNanos)
    {
    }

    internal override void OnReadable(long untilNanos)
    {
        while (Channel.TryRead(out ReadOnlySpan<byte> message))
        {
            int bytes = Answer(Wire.Decode(message), message.ToArray());
            if (bytes > 0)
                Output.TrySend(_room.AsSpan(0, bytes), MessageKind.Other);
        }

        Channel.Flush();
    }

    private int Answer(scoped in RwfMsg msg, byte[] bytes)
    {
        switch (msg.DomainType)
        {
            case DomainType.Login when msg.MsgClass == MsgClass.Request:
                _login.Receive(msg);
                return _login.EncodeRefresh(_room);
            case DomainType.Source:
                _directory.Receive(msg);
                return _directory.EncodeRefresh(_room);
            case DomainType.Dictionary:
                Messages.Add(bytes);
                return RefusesDictionary ? new DictionaryRefusal(msg.StreamId).EncodeNext(_room) : 0;
            default:
                Messages.Add(bytes);
                Received.Add($"{msg.MsgClass} {msg.StreamId}" + (msg.MsgClass == MsgClass.Request
                    ? $" {Encoding.ASCII.GetString(msg.Key.Name)}@{msg.Key.ServiceId}"
                    + (msg.Has(RequestFlags.Streaming) ? "" : " snapshot") + (msg.Has(RequestFlags.PrivateStream) ? " private" : "") : ""));
                return 0;
        }
    }

    private delegate void MapWriter(ref RwfWriter writer);

    private static byte[] Directory(MapWriter write)
    {
        byte[] room = new byte[256];
        RwfWriter writer = new(room);
        writer.TryWriteHeader(new RwfMsg
        {
            MsgClass = MsgClass.Update,
            DomainType = DomainType.Source,
            StreamId = StreamIds.Directory,
            ContainerType = DataType.Map,
        });
        writer.BeginMap(DataType.UInt, DataType.FilterList);
        write(ref writer);
        writer.EndMap();
        return room[..writer.Written];
    }
}
