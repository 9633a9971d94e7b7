using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.Measurement;
using PerfCommon.MsgData;

namespace PerfCommon.Sessions;

/// <summary>Runs the paths of a message once before the run, on throw-away data, so that the compiler has done its work when measuring begins.</summary>
/// <remarks>Cold code would make the first images several times slower than all later ones. Nothing is sent and nothing is counted.</remarks>
internal static class WarmUp
{
    private const long DurationNanos = 150_000_000;
    private const int ItemsPerRound = 200;
    private const int MostMessageBytes = 65_536;
    private const int FieldsOfImage = 70;

    /// <summary>What a provider does with requests, images and updates.</summary>
    /// <param name="plan">The plan of the run.</param>
    /// <returns>A number that depends on everything done, so that nothing can be left out.</returns>
    public static long Provider(ProviderPlan plan)
    {
        ArgumentNullException.ThrowIfNull(plan);
        MarketPriceProvider provider = new(plan.Service);
        ServiceInfo service = new() { Id = plan.Service.Id, Qos = plan.Service.Qos };
        FieldListTemplate update = plan.Messages.Updates[0];
        byte[] room = new byte[Math.Max(MostMessageBytes, RefreshEncoder.MostBytes(plan.Messages.Refresh, byte.MaxValue))];
        long bytes = 0;
        long until = Clock.NowNanos + DurationNanos;
        while (Clock.NowNanos < until)
        {
            ProviderItems items = new();
            for (int i = 0; i < ItemsPerRound; i++)
                bytes += ServeOne(provider, service, plan.Messages.Refresh, update, items, i, room);
        }

        return bytes;
    }

    /// <summary>What a consumer does with images and updates.</summary>
    /// <param name="dictionary">Any dictionary.</param>
    /// <returns>The checksum of everything decoded.</returns>
    public static ulong Consumer(FieldDictionary dictionary)
    {
        ArgumentNullException.ThrowIfNull(dictionary);
        byte[] room = new byte[MostMessageBytes];
        RwfWriter writer = new(room);
        MarketPriceHeaders.TryWriteUpdateHeader(ref writer, StreamIds.FirstItem);
        WriteList(ref writer, dictionary);
        ReadOnlySpan<byte> update = room.AsSpan(0, writer.Written);
        FieldListDecoder decoder = new(dictionary.Types, StampFields.First, StampFields.Count);
        ServiceInfo service = new() { Id = 1, Qos = RwfQos.RealTimeTickByTick };
        byte[] request = new byte[byte.MaxValue];
        long until = Clock.NowNanos + DurationNanos;
        while (Clock.NowNanos < until)
        {
            for (int i = 0; i < ItemsPerRound; i++)
            {
                MarketPriceConsumer.EncodeRequest(request, StreamIds.FirstItem + i, service, "WARM"u8, isStreaming: true);
                if (UpdateHeader.TryRead(update, out UpdateHeader header))
                    decoder.Decode(header.Payload);
                if (RwfMsg.TryDecode(update, out RwfMsg msg) == DecodeResult.Success)
                    decoder.Decode(msg.Payload);
            }
        }

        return decoder.Checksum;
    }

    private static int ServeOne(
        MarketPriceProvider provider, ServiceInfo service, FieldListTemplate refresh, FieldListTemplate update, ProviderItems items, int number, byte[] room)
    {
        ReadOnlySpan<byte> name = [(byte)'W', (byte)'A', (byte)'R', (byte)'M', (byte)number, (byte)(number >> 8)];
        int streamId = StreamIds.FirstItem + number;
        int length = MarketPriceConsumer.EncodeRequest(room, streamId, service, name, isStreaming: true);
        if (RwfMsg.TryDecode(room.AsSpan(0, length), out RwfMsg msg) != DecodeResult.Success)
            return 0;
        ItemRequest request = new(msg);
        ItemStreamUse use = items.FindStream(streamId) >= 0 || items.FindName(request.Name) >= 0 ? ItemStreamUse.Reissue : ItemStreamUse.New;
        if (provider.Check(request, items.OpenCount, use) != ItemRejection.None || use != ItemStreamUse.New)
            return 0;
        int slot = items.Open(streamId, request.Name, ItemTraits.Streaming);
        items.AskRefresh(slot, solicited: true);
        if (!items.TryPeekRefresh(out slot))
            return 0;
        int bytes = RefreshEncoder.Encode(room, provider, refresh, streamId, items.NameOf(slot), items.TraitsOf(slot));
        items.RefreshSent(slot);
        return bytes + UpdateBurst.Encode(room, streamId, update, stamped: (number & 1) == 0, stamp: (ulong)number);
    }

    private static void WriteList(ref RwfWriter writer, FieldDictionary dictionary)
    {
        writer.BeginFieldList();
        foreach (FieldDefinition field in dictionary.Definitions.Take(FieldsOfImage))
        {
            switch (field.DataType)
            {
                case DataType.Real:
                    writer.WriteRealField(field.Fid, field.Fid, RealHint.Exponent0);
                    break;
                case DataType.UInt or DataType.Enum:
                    writer.WriteUIntField(field.Fid, 1);
                    break;
                case DataType.Int:
                    writer.WriteIntField(field.Fid, -1);
                    break;
                case DataType.Time:
                    writer.WriteTimeField(field.Fid, new RwfTime(12, 30, 15));
                    break;
                case DataType.Date:
                    writer.WriteDateField(field.Fid, new RwfDate(1, 2, 2003));
                    break;
                case DataType.AsciiString or DataType.RmtesString or DataType.Utf8String:
                    writer.WriteBytesField(field.Fid, "WARM"u8);
                    break;
                default:
                    writer.WriteBlankField(field.Fid);
                    break;
            }
        }

        writer.EndFieldList();
    }
}
