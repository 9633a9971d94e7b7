using System.Text;
using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.Tests.Domains;
using PerfCommon.Workers;
using Xunit;

namespace PerfCommon.Tests.Sessions;

/// <summary>A client that sends the test's messages and keeps every answer.</summary>
internal sealed class TalkingPeer : Connection
{
    /// <summary>The received messages, each as class, stream, and state or name; updates omitted.</summary>
    public List<string> Answers { get; } = [];

    /// <summary>The same messages as bytes.</summary>
    public List<byte[]> Messages { get; } = [];

    public int Updates { get; private set; }

    /// <summary>All received messages, updates included, in order; where the test needs them.</summary>
    public List<byte[]>? All { get; init; }

    public bool IsThere { get; private set; }

    /// <summary>The last of the messages of a class.</summary>
    public RwfMsg Last(MsgClass msgClass) => Wire.Decode(Messages.FindLast(message => Wire.Decode(message).MsgClass == msgClass)!);

    /// <summary>Creates a request for an item.</summary>
    public static RwfMsg Request(int streamId, ushort serviceId, string name, int flags = RequestFlags.Streaming) => new()
    {
        MsgClass = MsgClass.Request,
        DomainType = DomainType.MarketPrice,
        StreamId = streamId,
        Flags = flags,
        Key = new MsgKey
        {
            Flags = MsgKeyFlags.HasServiceId | MsgKeyFlags.HasName,
            ServiceId = serviceId,
            Name = Encoding.ASCII.GetBytes(name),
        },
    };

    /// <summary>Requests an item, or some of its fields.</summary>
    public void Ask(int streamId, ushort serviceId, string name, int flags, FieldView? view)
    {
        RwfMsg request = Request(streamId, serviceId, name, flags | (view is null ? 0 : RequestFlags.HasView));
        byte[] room = new byte[2_048];
        RwfWriter writer = new(room);
        if (view is not null)
        {
            ViewRequest.Write(ref writer, view);
            request.ContainerType = DataType.ElementList;
            request.Payload = room.AsSpan(0, writer.Written);
        }

        Say(Wire.Encode(request));
    }

    /// <summary>Creates a request for many items.</summary>
    /// <param name="streamId">Its stream; the items are on the streams after it.</param>
    /// <param name="serviceId">Their service.</param>
    /// <param name="names">The items.</param>
    /// <param name="list">The bytes of the list, which the message refers to.</param>
    /// <param name="flags">Flags besides that of a batch.</param>
    public static RwfMsg Batch(int streamId, ushort serviceId, string[] names, out byte[] list, int flags = RequestFlags.Streaming)
    {
        list = List(names);
        return new RwfMsg
        {
            MsgClass = MsgClass.Request,
            DomainType = DomainType.MarketPrice,
            StreamId = streamId,
            Flags = flags | RequestFlags.HasBatch,
            Key = new MsgKey { Flags = MsgKeyFlags.HasServiceId, ServiceId = serviceId },
            ContainerType = DataType.ElementList,
            Payload = list,
        };
    }

    public void LogIn(LoginRole role = LoginRole.Consumer)
    {
        LoginConsumer login = new(new LoginIdentity { UserName = "me", ApplicationName = "test", Position = "127.0.0.1/net", Role = role });
        Say(Wire.Encode(login.EncodeRequest));
    }

    public void Say(byte[] message)
    {
        Assert.True(Output.TrySend(message, MessageKind.Other));
        Channel.Flush();
    }

    internal override void OnOpened(long nowNanos) => IsThere = true;

    internal override void OnReadable(long untilNanos)
    {
        while (Channel.TryRead(out ReadOnlySpan<byte> message))
        {
            RwfMsg msg = Wire.Decode(message);
            All?.Add(message.ToArray());
            if (msg.MsgClass == MsgClass.Update)
            {
                Updates++;
                continue;
            }

            Messages.Add(message.ToArray());
            Answers.Add(Describe(msg));
        }
    }

    private static string Describe(scoped in RwfMsg msg) => msg.MsgClass switch
    {
        MsgClass.Status => $"Status {msg.StreamId} {DomainMsg.Show(msg.State)}",
        MsgClass.Refresh => $"Refresh {msg.StreamId} {msg.State.StreamState} {Encoding.ASCII.GetString(msg.Key.Name)}",
        MsgClass.Ack when msg.Has(AckFlags.HasNakCode) => $"Ack {msg.StreamId} {msg.AckId} {msg.NakCode}",
        MsgClass.Ack => $"Ack {msg.StreamId} {msg.AckId}",
        _ => $"{msg.MsgClass} {msg.StreamId}",
    };

    private static byte[] List(string[] names)
    {
        byte[] room = new byte[100 + names.Sum(name => name.Length + 2)];
        RwfWriter writer = new(room);
        writer.BeginElementList();
        writer.BeginElement(":ItemList"u8, DataType.Array);
        writer.BeginArray(DataType.AsciiString);
        foreach (string name in names)
            writer.WriteItem(Encoding.ASCII.GetBytes(name));
        writer.EndArray();
        writer.EndEntry();
        writer.EndElementList();
        Assert.False(writer.Failed);
        return room[..writer.Written];
    }
}
