using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.MsgData;
using PerfCommon.Transport;
using Xunit;

namespace PerfCommon.Tests;

/// <summary>Members that only users' harnesses call, and no tool.</summary>
public class HarnessMembersTests
{
    [Fact]
    public void Values_BlankOrNoNumber_SaySo()
    {
        Assert.True(default(RwfDate).IsBlank);
        Assert.True(RwfDateTime.BlankValue.IsBlank);
        Assert.False(new RwfDateTime(new RwfDate(1, 2, 2026), RwfTime.BlankValue).IsBlank);
        Assert.True(RwfReal.BlankValue.IsBlank);
        Assert.False(RwfReal.BlankValue.IsSpecial);
        Assert.True(new RwfReal(0, RealHint.NotANumber).IsSpecial);
    }

    [Fact]
    public void Entries_OfAList_AreReadOneByOne()
    {
        byte[] room = new byte[100];
        int bytes = new FieldListBuilder(FieldDictionary.Default).Add("BID", 1).Add("ASK", 2).Build().EncodeList(room, 0, 0);
        FieldListReader entries = new FieldValues(room.AsSpan(0, bytes), FieldDictionary.Default).Entries;
        List<short> fields = [];
        while (entries.TryReadNext(out FieldEntry entry) == DecodeResult.Success)
            fields.Add(entry.FieldId);
        Assert.Equal([22, 25], fields);
    }

    [Fact]
    public void Definition_OfOurDictionary_HasWhatItsFileSays()
    {
        Assert.True(FieldDictionary.Default.TryFind("BID", out FieldDefinition? bid));
        Assert.Equal((FieldType.Price, 7), (bid.FieldType, bid.RwfLength));
    }

    [Fact]
    public void Options_ThatNoToolSets_AreKept()
    {
        Assert.Equal(3, new ConnectOptions { Host = "localhost", Port = 1, ConnectTimeoutSeconds = 3 }.ConnectTimeoutSeconds);
        Assert.Equal("7", new LoginOffer { ApplicationName = "test", Position = "here", ApplicationId = "7" }.ApplicationId);
        InvalidOperationException cause = new();
        Assert.Same(cause, new CloseReason(CloseKind.Local, "over", cause).Cause);
        Assert.Equal("1.0", (Info() with { ComponentVersion = "1.0" }).ComponentVersion);
    }

    private static ChannelInfo Info() => new()
    {
        IsServer = false,
        ConnectionVersion = 14,
        MaxMessageBytes = 6_144,
        PingTimeoutSeconds = 60,
        SendsPings = true,
        ReceivesPings = true,
        ProtocolType = RsslProtocol.Rwf,
        MajorVersion = 14,
        MinorVersion = 1,
    };
}
