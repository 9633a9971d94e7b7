using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.Measurement;
using PerfCommon.MsgData;
using PerfCommon.Sessions;
using PerfCommon.Transport.Compression;

namespace PerfCommon.Benchmarks.Regression;

/// <summary>All hot paths that are judged; none needs the system.</summary>
internal static class HotCases
{
    private const int RoomBytes = 16 * 1024;
    private const int FirstStreamId = 4711;
    private const int UsualNanos = 20_000;
    private const int Spread = 255;
    private static readonly int[] BodySizes = [Samples.MessageBytes, 4096, 6144];

    public static IEnumerable<HotCase> Create() => [.. CreateCodecCases(), .. FrameCases.Create(), .. CreateRecordingCases(), .. CreateLz4Cases()];

    private static IEnumerable<HotCase> CreateCodecCases()
    {
        FieldListTemplate[] updates = [.. Samples.Messages.Updates];
        byte[] room = new byte[RoomBytes];
        yield return new("encode one update", times =>
        {
            for (int i = 0; i < times; i++)
                UpdateMessage.Encode(room, FirstStreamId, updates[0], stamp: 0);
        });
        yield return new("encode one stamped update", times =>
        {
            for (int i = 0; i < times; i++)
                UpdateMessage.Encode(room, FirstStreamId, updates[0], (ulong)(UsualNanos + i));
        });
        byte[] image = new byte[RoomBytes];
        yield return new("encode one image", times =>
        {
            for (int i = 0; i < times; i++)
                EncodeImage(image);
        });

        FieldListDecoder decoder = new(Samples.Dictionary.Types, StampFields.First, StampFields.Count);
        byte[] update = Samples.CreateUpdate(streamId: 2);
        yield return new("decode one update", times =>
        {
            for (int i = 0; i < times; i++)
                Check(UpdateHeader.TryRead(update, out UpdateHeader header) && decoder.Decode(update, header.PayloadStart) == DecodeResult.Success);
        });
        byte[] whole = image[..EncodeImage(image)];
        yield return new("decode one image", times =>
        {
            for (int i = 0; i < times; i++)
                Check(decoder.Decode(whole, sizeof(ulong)) == DecodeResult.Success);
        });
    }

    private static IEnumerable<HotCase> CreateRecordingCases()
    {
        LatencySeries series = new(LatencyUnit.Nanoseconds);
        yield return new("record one latency", times =>
        {
            for (int i = 0; i < times; i++)
                series.Record(UsualNanos + ((i & Spread) << 6));
        });
        LongHistogram histogram = LongHistogram.CreateForTimes(LatencyUnit.Nanoseconds);
        yield return new("record one histogram value", times =>
        {
            for (int i = 0; i < times; i++)
                histogram.RecordValue(UsualNanos + ((i & Spread) << 6));
        });
    }

    private static IEnumerable<HotCase> CreateLz4Cases()
    {
        foreach (int size in BodySizes)
        {
            byte[] body = Samples.CreateStructured(size);
            byte[] room = new byte[LZ4Codec.MaximumOutputSize(size)];
            byte[] block = room[..LZ4Codec.Encode(body, room)];
            yield return new($"lz4, encode {size} bytes", times =>
            {
                for (int i = 0; i < times; i++)
                    Check(LZ4Codec.Encode(body, room) == block.Length);
            });
            byte[] back = new byte[size];
            yield return new($"lz4, decode {size} bytes", times =>
            {
                for (int i = 0; i < times; i++)
                    Check(LZ4Codec.Decode(block, back) == size);
            });
        }
    }

    // The bytes before the list stand for the header: the decoder's window begins in them.
    private static int EncodeImage(byte[] room)
    {
        RwfWriter writer = new(room.AsSpan(sizeof(ulong)));
        Check(Samples.Messages.Refresh.EncodeList(ref writer));
        return sizeof(ulong) + writer.Written;
    }

    /// <summary>Ends the program when a case does not do what it is measured for.</summary>
    public static void Check(bool isDone)
    {
        if (!isDone)
            throw new InvalidOperationException("a case does not do its work");
    }
}
