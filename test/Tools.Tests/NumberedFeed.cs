using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.Load;
using PerfCommon.Measurement;
using PerfCommon.Sessions;
using PerfCommon.Workers;
using Xunit;

namespace Tools.Tests;

/// <summary>A provider that sends each item's counted updates when and in the order that a test says: it loses, repeats, swaps and delays.</summary>
/// <param name="time">Stamps its updates.</param>
internal sealed class NumberedFeed(TimeSource time) : ProviderHandler
{
    public const int FirstCount = SizedMessages.MinCount + 100;
    private const int Bytes = 54, Fields = 5;

    private readonly SizedMessages _messages = new(Bytes, Fields);

    /// <summary>Posts that came.</summary>
    public int Posts { get; private set; }

    /// <summary>How often a post is sent back.</summary>
    public Func<int, int> Reflects { get; init; } = _ => 1;

    protected internal override int MaxRefreshBytes => _messages.MaxRefreshBytes;

    protected internal override void EncodeRefresh(int item, ref RwfWriter writer) => _messages.EncodeRefresh(ref writer, FirstCount);

    protected internal override void OnPost(int item, scoped in RwfMsg post)
    {
        for (int copies = Reflects(Posts++); copies > 0; copies--)
            Assert.Equal(PostRefusal.None, Session.Reflect(item, post));
    }

    /// <summary>Sends updates of an item by their numbers, from 1 on, made now.</summary>
    public void Send(int item, params IEnumerable<int> numbers)
    {
        foreach (int number in numbers)
            SendMade(item, number, time.NowNanos);
    }

    /// <summary>Sends an update that was made before.</summary>
    /// <param name="item">Place among the items that were asked for.</param>
    /// <param name="number">Its number, from 1.</param>
    /// <param name="madeNanos">When it was made.</param>
    public void SendMade(int item, int number, long madeNanos)
    {
        Span<byte> room = new byte[_messages.MaxUpdateBytes];
        int count = FirstCount + number - 1;
        int length = _messages.Encode(room, StreamIds.FirstItem + item, ref count, (ulong)(madeNanos / Clock.NanosPerMicro));
        Assert.True(Session.Output.TrySend(room[..length], MessageKind.Update));
        Session.Channel.Flush();
    }

    /// <summary>Sends the image of an item once more.</summary>
    /// <param name="item">Place among the items that were asked for.</param>
    /// <param name="number">The number of the last update that is part of it; 0 for none.</param>
    /// <param name="stream">The state of its stream.</param>
    public void SendImage(int item, int number, StreamState stream = StreamState.Open)
    {
        byte[] room = new byte[256];
        RwfWriter writer = new(room);
        RwfMsg refresh = new()
        {
            MsgClass = MsgClass.Refresh,
            DomainType = DomainType.MarketPrice,
            StreamId = StreamIds.FirstItem + item,
            Flags = RefreshFlags.RefreshComplete,
            ContainerType = DataType.FieldList,
            State = new RwfState(stream, DataState.Ok),
            GroupId = [0, 0],
        };
        Assert.True(writer.TryWriteHeader(refresh));
        _messages.EncodeRefresh(ref writer, FirstCount + number);
        Assert.True(Session.Output.TrySend(room.AsSpan(0, writer.Written), MessageKind.Other));
        Session.Channel.Flush();
    }
}
