using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.Load;
using PerfCommon.MsgData;
using PerfCommon.Workers;
using Xunit;

namespace Tools.Tests;

/// <summary>A provider whose images are really lost, sent twice, or sent after the item's first update.</summary>
/// <param name="copies">How often the image of the n-th request is sent, n from 0.</param>
internal sealed class ImagePeer(Func<int, int> copies) : Connection
{
    private static readonly ServiceOffer Service = new() { Name = MemoryPair.ServiceName, Id = 1 };
    private static readonly MessageData Messages = MessageData.Default(FieldDictionary.Default);

    private readonly byte[] _room = new byte[8_192];
    private readonly LoginProvider _login = new(new LoginOffer { ApplicationName = "test", Position = "here" });
    private readonly DirectoryProvider _directory = new(Service);

    /// <summary>True sends an update ahead of each image.</summary>
    public bool UpdatesFirst { get; init; }

    /// <summary>True closes the stream of the first request, by a refresh, once there is an image of the third.</summary>
    public bool CloseFirst { get; init; }

    /// <summary>Requests that came.</summary>
    public int Requests { get; private set; }

    internal override void OnOpened(long nowNanos)
    {
    }

    internal override void OnReadable(long untilNanos)
    {
        while (Channel.TryRead(out ReadOnlySpan<byte> message) && RwfMsg.TryDecode(message, out RwfMsg msg) == DecodeResult.Success)
        {
            if (msg.DomainType != DomainType.MarketPrice)
                Send(Introduce(msg));
            else if (msg.MsgClass == MsgClass.Request)
                Answer(msg.StreamId, msg.Key.Name);
        }

        Channel.Flush();
    }

    private int Introduce(scoped in RwfMsg msg)
    {
        if (msg.DomainType == DomainType.Login)
        {
            _login.Receive(msg);
            return _login.EncodeRefresh(_room);
        }

        _directory.Receive(msg);
        return _directory.EncodeRefresh(_room);
    }

    private void Answer(int stream, ReadOnlySpan<byte> name)
    {
        if (UpdatesFirst)
        {
            default(UpdateMessage).WriteHeader(_room, stream, isOrderBook: false);
            Send(MarketPriceHeaders.UpdateHeaderBytes
                + Messages.Updates[0].EncodeList(_room.AsSpan(MarketPriceHeaders.UpdateHeaderBytes), StampFields.Update, 0));
        }

        for (int left = copies(Requests++); left > 0; left--)
        {
            RwfWriter writer = new(_room);
            MarketPriceHeaders.TryWriteRefreshHeader(ref writer, stream, Service, name, null, isStreaming: true, isSolicited: true);
            Messages.Refresh.EncodeList(ref writer);
            Send(writer.Written);
        }

        if (CloseFirst && Requests == 3)
            Close(StreamIds.FirstItem);
    }

    private void Close(int stream)
    {
        RwfWriter writer = new(_room);
        Assert.True(writer.TryWriteHeader(new RwfMsg
        {
            MsgClass = MsgClass.Refresh,
            DomainType = DomainType.MarketPrice,
            StreamId = stream,
            Flags = RefreshFlags.RefreshComplete,
            ContainerType = DataType.NoData,
            State = new RwfState(StreamState.Closed, DataState.Suspect),
            GroupId = [0, 0],
        }));
        Send(writer.Written);
    }

    private void Send(int bytes) => Assert.True(Output.TrySend(_room.AsSpan(0, bytes), MessageKind.Other));
}
