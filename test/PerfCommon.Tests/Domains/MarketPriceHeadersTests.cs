using PerfCommon.Codec;
using PerfCommon.Domains;
using Xunit;

namespace PerfCommon.Tests.Domains;

public sealed class MarketPriceHeadersTests
{
    // Every member at its longest: a service id of three bytes, a quality with both numbers, the longest name.
    private static readonly RwfQos LongQos = new(Timeliness: 3, Rate: 3, Dynamic: true, TimeInfo: 60_000, RateInfo: 60_000);
    private static readonly byte[] LongName = [.. Enumerable.Repeat((byte)'N', byte.MaxValue)];

    [Fact]
    public void GenericHeader_AnyStream_IsTheRecordedForm() => Assert.Equal(
        "00080706000000060004",
        Write(MarketPriceHeaders.GenericHeaderBytes, (ref RwfWriter writer) => MarketPriceHeaders.TryWriteGenericHeader(ref writer, 6)));

    [Fact]
    public void PostHeaders_AnyStream_AreTheRecordedForm() => Assert.Equal(
        "0010080600000006200d7f00000100000001" + "00120406000000008200" + "04007f00000100000001",
        Write(MarketPriceHeaders.PostHeaderBytes,
            (ref RwfWriter writer) => MarketPriceHeaders.TryWritePostHeaders(ref writer, 6, 0x7f000001, 1)));

    [Fact]
    public void RefreshHeader_LongestMembers_FitExactly()
    {
        ServiceOffer service = new() { Name = "S", Id = ushort.MaxValue, Qos = LongQos };
        int room = MarketPriceHeaders.MaxRefreshBytes(LongName.Length, listBytes: 0);

        Assert.Equal(room, FieldListEncoder.Slack + (Write(room, (ref RwfWriter writer) =>
            MarketPriceHeaders.TryWriteRefreshHeader(ref writer, 6, service, LongName, 1, isStreaming: true,
                isSolicited: true)).Length / 2));
    }

    [Fact]
    public void Request_LongestMembers_Fit()
    {
        ServiceInfo service = new() { Id = ushort.MaxValue, Qos = LongQos };
        byte[] room = new byte[MarketPriceHeaders.MaxRequestBytes(LongName.Length)];

        // Requests carry no name type.
        Assert.Equal(room.Length - 1, MarketPriceConsumer.EncodeRequest(room, 6, service, LongName, isStreaming: true));
    }

    [Fact]
    public void StampFields_LongestStamp_FitsItsBytes()
    {
        RwfWriter writer = new(new byte[100]);
        writer.BeginFieldList();
        int before = writer.Written;
        writer.WriteUIntField(StampFields.Generic, ulong.MaxValue);
        Assert.Equal(StampFields.MaxFieldBytes, writer.Written - before);
    }

    [Fact]
    public void StampFields_ThreeFields_AreStamps() => Assert.Equal(
        [false, true, true, true, false],
        new short[] { 3901, StampFields.Update, StampFields.Post, StampFields.Generic, 3905 }.Select(StampFields.IsStamp));

    private delegate bool Header(ref RwfWriter writer);

    private static string Write(int room, Header header)
    {
        byte[] bytes = new byte[room];
        RwfWriter writer = new(bytes);
        Assert.True(header(ref writer));
        return Convert.ToHexStringLower(bytes.AsSpan(0, writer.Written));
    }
}
