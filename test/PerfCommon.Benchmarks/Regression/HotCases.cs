using K4os.Compression.LZ4;
using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.Load;
using PerfCommon.Measurement;
using PerfCommon.MsgData;
using PerfCommon.Transport.Compression;

namespace PerfCommon.Benchmarks.Regression;

/// <summary>All hot paths that are checked; none needs the system.</summary>
internal static class HotCases
{
    private const int RoomBytes = 16 * 1024;
    private const int StreamId = 4711;
    private const int UsualNanos = 20_000;
    private const int Spread = 255;
    private static readonly int[] BodySizes = [Samples.MessageBytes, 4096, 6144];

    public static IReadOnlyList<HotCase> All { get; } =
    [
        new("encode one update", () => EncodeUpdates(stamp: 0)),
        new("encode one stamped update", () => EncodeUpdates(stamp: 57_132_000_000)),
        new("encode one image", EncodeImages),
        new("decode one update", DecodeUpdates),
        new("decode one image", DecodeImages),
        .. FrameCases.All,
        new("record one latency", RecordLatencies),
        new("record one histogram value", RecordValues),
        .. BodySizes.Select(bytes => new HotCase($"lz4, encode {bytes} bytes", () => EncodeBlocks(Samples.CreateStructured(bytes)))),
        .. BodySizes.Select(bytes => new HotCase($"lz4, decode {bytes} bytes", () => DecodeBlocks(Samples.CreateStructured(bytes)))),
    ];

    /// <summary>Ends the program when a case does not do its measured work.</summary>
    public static void Check(bool isDone)
    {
        if (!isDone)
            throw new InvalidOperationException("a case does not do its work");
    }

    private static Action<int> EncodeUpdates(ulong stamp)
    {
        FieldListTemplate fields = Samples.Messages.Updates[0];
        byte[] room = new byte[RoomBytes];
        return times =>
        {
            for (int i = 0; i < times; i++)
                default(UpdateMessage).Encode(room, StreamId, fields, stamp);
        };
    }

    private static Action<int> DecodeUpdates()
    {
        FieldListDecoder decoder = new(Samples.Dictionary.Types, StampFields.First, StampFields.Count);
        byte[] update = Samples.CreateUpdate(streamId: 2);
        return times =>
        {
            for (int i = 0; i < times; i++)
            {
                bool isUpdate = UpdateHeader.TryRead(update, out UpdateHeader header);
                Check(isUpdate && decoder.Decode(update, header.PayloadStart) == DecodeResult.Success);
            }
        };
    }

    private static Action<int> EncodeImages()
    {
        byte[] room = new byte[RoomBytes];
        return times =>
        {
            for (int i = 0; i < times; i++)
                EncodeImage(room);
        };
    }

    private static Action<int> DecodeImages()
    {
        FieldListDecoder decoder = new(Samples.Dictionary.Types, StampFields.First, StampFields.Count);
        byte[] room = new byte[RoomBytes];
        byte[] image = room[..EncodeImage(room)];
        return times =>
        {
            for (int i = 0; i < times; i++)
                Check(decoder.Decode(image, sizeof(ulong)) == DecodeResult.Success);
        };
    }

    // The bytes before the list represent the header: the decoder's window begins in them.
    private static int EncodeImage(byte[] room)
    {
        RwfWriter writer = new(room.AsSpan(sizeof(ulong)));
        Check(Samples.Messages.Refresh.EncodeList(ref writer));
        return sizeof(ulong) + writer.Written;
    }

    private static Action<int> RecordLatencies()
    {
        LatencySeries series = new(LatencyUnit.Nanoseconds);
        return times =>
        {
            for (int i = 0; i < times; i++)
                series.Record(UsualNanos + ((i & Spread) << 6));
        };
    }

    private static Action<int> RecordValues()
    {
        LongHistogram histogram = LongHistogram.CreateForTimes(LatencyUnit.Nanoseconds);
        return times =>
        {
            for (int i = 0; i < times; i++)
                histogram.RecordValue(UsualNanos + ((i & Spread) << 6));
        };
    }

    private static Action<int> EncodeBlocks(byte[] body)
    {
        Lz4BlockEncoder encoder = new();
        byte[] room = new byte[LZ4Codec.MaximumOutputSize(body.Length)];
        return times =>
        {
            for (int i = 0; i < times; i++)
                Check(encoder.Encode(body, room) > 0);
        };
    }

    private static Action<int> DecodeBlocks(byte[] body)
    {
        byte[] room = new byte[LZ4Codec.MaximumOutputSize(body.Length)];
        byte[] block = room[..LZ4Codec.Encode(body, room)];
        return times =>
        {
            for (int i = 0; i < times; i++)
                Check(Lz4BlockDecoder.Decode(block, body) == body.Length);
        };
    }
}
