using PerfCommon.Codec;

namespace PerfCommon.Domains;

/// <summary>What a consumer sends on item streams, and what the answers mean to it.</summary>
internal static class MarketPriceConsumer
{
    /// <summary>Encodes the request for one item.</summary>
    /// <param name="room">Where to.</param>
    /// <param name="streamId">Stream for the item, <see cref="StreamIds.FirstItem"/> and up.</param>
    /// <param name="service">The service as its directory entry describes it.</param>
    /// <param name="itemName">Name of the item, 1 to 255 bytes.</param>
    /// <param name="isStreaming">False for an image only.</param>
    /// <returns>Bytes written; 0 when the room is too small.</returns>
    public static int EncodeRequest(
        Span<byte> room, int streamId, ServiceInfo service, ReadOnlySpan<byte> itemName, bool isStreaming)
    {
        ArgumentNullException.ThrowIfNull(service);
        RwfWriter writer = new(room);
        MarketPriceHeaders.TryWriteRequest(ref writer, streamId, service, itemName, isStreaming);
        return writer.Written;
    }

    /// <summary>Encodes the message that closes an item.</summary>
    /// <param name="room">Where to.</param>
    /// <param name="streamId">Stream of the item.</param>
    /// <returns>Bytes written; 0 when the room is too small.</returns>
    public static int EncodeClose(Span<byte> room, int streamId)
    {
        RwfMsg close = new() { MsgClass = MsgClass.Close, DomainType = DomainType.MarketPrice, StreamId = streamId };
        RwfWriter writer = new(room);
        writer.TryWriteHeader(close);
        return writer.Written;
    }

    /// <summary>Tells what a refresh or status means for its item.</summary>
    /// <param name="msg">A message of class Refresh or Status.</param>
    public static ItemChange Classify(scoped in RwfMsg msg)
    {
        bool isRefresh = msg.MsgClass == MsgClass.Refresh;
        if (!isRefresh && !msg.Has(StatusFlags.HasState))
            return ItemChange.None;
        RwfState state = msg.State;
        if (state.StreamState.IsFinal())
            return ItemChange.Closed;
        if (state.DataState == DataState.Suspect)
            return ItemChange.Suspect;
        return isRefresh && msg.Has(RefreshFlags.RefreshComplete) && state.DataState == DataState.Ok
            ? ItemChange.Image
            : ItemChange.None;
    }
}
