using System.Globalization;
using Fuzz;
using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.Load;
using PerfCommon.MsgData;
using Xunit;

namespace PerfCommon.Tests.Codec;

/// <summary>The quick path through a field list has the results of the general reader and writer, on whole, damaged and random lists.</summary>
public sealed class FieldListMutationTests
{
    private const string CasesVariable = "PERFTOOLS_MUTATIONS";
    private const int CasesInCI = 400_000;
    private const int Seed = 20_261_122;
    private const int HeaderBytes = MarketPriceHeaders.UpdateHeaderBytes;

    private static readonly FuzzTarget Lists = FuzzTargets.Find("field-list")!;

    [Fact]
    public void Decode_DamagedUpdatesAndImages_IsWhatTheGeneralReaderFinds()
    {
        byte[][] messages = [.. Templates().Select(fields => Encode(fields, stamp: 57_132_000_000))];
        Random random = new(Seed);
        for (int i = 0; i < Cases(); i++)
        {
            byte[] whole = messages[random.Next(messages.Length)];
            byte[] list = Mutation.Of(whole.AsSpan(HeaderBytes), random);
            Lists.Run([.. whole[..HeaderBytes], .. list]);
        }
    }

    [Fact]
    public void Decode_CutAnywhere_IsWhatTheGeneralReaderFinds()
    {
        foreach (byte[] message in Templates().Select(fields => Encode(fields, stamp: 1)))
        {
            for (int length = HeaderBytes; length <= message.Length; length++)
                Lists.Run(message.AsSpan(0, length));
        }
    }

    [Fact]
    public void Encode_RandomValues_IsWhatTheGeneralWriterWrites()
    {
        Random random = new(Seed);
        byte[] room = new byte[4096];
        for (int i = 0; i < Cases() / 10; i++)
        {
            byte[] texts = new byte[300];
            random.NextBytes(texts);
            FieldListEncoder list = new([.. Enumerable.Range(0, random.Next(1, 12)).Select(_ => RandomValue(random))], texts);
            ulong stamp = (ulong)(random.NextInt64() >> random.Next(64));
            int bytes = list.Encode(room, StampFields.Update, stamp);

            byte[] exact = new byte[bytes]; // buffer too small for the quick path
            Assert.True(list.IsQuick);
            Assert.Equal(bytes, list.Encode(exact, StampFields.Update, stamp));
            Assert.True(exact.AsSpan().SequenceEqual(room.AsSpan(0, bytes)));
        }
    }

    [Fact]
    public void Encode_ShippedMessages_GoTheQuickWay() => Assert.All(Templates(), fields => Assert.True(fields.IsQuick));

    private static int Cases() =>
        int.TryParse(Environment.GetEnvironmentVariable(CasesVariable), CultureInfo.InvariantCulture, out int asked) ? asked : CasesInCI;

    private static IEnumerable<FieldListTemplate> Templates() =>
        [.. SessionSamples.Messages.Updates, SessionSamples.Messages.Refresh.AppendBlanks(StampFields.Blanks)];

    private static byte[] Encode(FieldListTemplate fields, ulong stamp)
    {
        byte[] room = new byte[default(UpdateMessage).MaxBytes(fields)];
        return room[..default(UpdateMessage).Encode(room, 7, fields, stamp)];
    }

    private static FieldValue RandomValue(Random random)
    {
        short fieldId = (short)random.Next(short.MinValue, short.MaxValue + 1);
        long number = random.NextInt64(long.MinValue, long.MaxValue) >> random.Next(64);
        return random.Next(8) switch
        {
            0 => new(number, 0, fieldId, FieldKind.Real, (byte)random.Next(RealHint.Fraction256 + 1)),
            1 => new(number, 0, fieldId, FieldKind.UInt),
            2 => new((ushort)number, 0, fieldId, FieldKind.Enum),
            3 => new(number, 0, fieldId, FieldKind.Int),
            4 => FieldValue.Of(fieldId, new RwfTime((byte)random.Next(24), (byte)random.Next(60), (byte)random.Next(60))),
            5 => FieldValue.Of(fieldId, new RwfDate((byte)random.Next(1, 32), (byte)random.Next(1, 13), (ushort)random.Next(3_000))),
            6 => new(0, 0, fieldId, FieldKind.Blank),
            _ => new(random.Next(40), random.Next(254), fieldId, FieldKind.Bytes),
        };
    }
}
