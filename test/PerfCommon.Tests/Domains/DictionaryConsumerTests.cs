using PerfCommon.Codec;
using PerfCommon.Domains;
using Xunit;
using static PerfCommon.Tests.Domains.DictionarySamples;

namespace PerfCommon.Tests.Domains;

public sealed class DictionaryConsumerTests
{
    [Fact]
    public void EncodeFieldRequest_Always_IsTheRecordedForm() => Assert.Equal(
        "001A0105000000030000800D0B0106525746466C6400000007".Replace("001A", "0017", StringComparison.Ordinal),
        Convert.ToHexString(Wire.Encode(new DictionaryConsumer(1).EncodeFieldRequest)));

    [Fact]
    public void EncodeEnumRequest_Always_UsesStreamFour()
    {
        RwfMsg msg = Wire.Decode(Wire.Encode(new DictionaryConsumer(9).EncodeEnumRequest));

        Assert.Equal((DomainType.Dictionary, 4, 0), (msg.DomainType, msg.StreamId, msg.Flags));
        Assert.Equal(((ushort)9, "RWFEnum", 7u), (msg.Key.ServiceId, PrintableText.FromTerminated(msg.Key.Name), msg.Key.Filter));
    }

    [Fact]
    public void Consumer_Refused_SaysWhyWhateverTheDomain() => Assert.Equal(
        new ConversationResult(ConversationStep.Refused, "dictionary request refused: Closed/Suspect/NotEntitled \"go away\\u000A\""),
        new DictionaryConsumer(1).Receive(Wire.Status(DomainType.MarketPrice, StreamIds.EnumDictionary, StreamState.Closed,
            DataState.Suspect)));

    [Fact]
    public void Consumer_OtherStream_IsIgnored() => Assert.Equal(
        ConversationResult.Ignore,
        new DictionaryConsumer(1).Receive(Wire.Status(DomainType.Dictionary, 5, StreamState.Closed, DataState.Suspect)));

    [Theory]
    [InlineData((int)MsgClass.Update)]
    [InlineData((int)MsgClass.Generic)]
    [InlineData((int)MsgClass.Ack)]
    public void Consumer_MessageWithoutAnAnswer_IsIgnored(int msgClass) => Assert.Equal(ConversationResult.Ignore, new DictionaryConsumer(1)
        .Receive(new RwfMsg { MsgClass = (MsgClass)msgClass, DomainType = DomainType.Dictionary, StreamId = StreamIds.FieldDictionary }));

    [Fact]
    public void Consumer_FieldTwice_IsRefused()
    {
        DictionaryConsumer consumer = new(1);
        byte[] part = PartsOf(AnswerFor(Small, StreamIds.FieldDictionary, "RWFFld", DictionaryVerbosity.Normal), 4_096)[0];
        MsgPatch.TrySetFlags(part, RefreshFlags.HasMsgKey);

        Assert.Equal(ConversationStep.Ignore, consumer.Receive(Wire.Decode(part)).Step);
        Assert.Equal("field dictionary from the provider: field id -10 is 0 or defined twice", consumer.Receive(Wire.Decode(part)).Reason);
    }

    [Fact]
    public void Consumer_EnumAnswerOnFieldStream_IsRefused()
    {
        byte[] part = PartsOf(AnswerFor(Small, StreamIds.FieldDictionary, "RWFEnum", DictionaryVerbosity.Normal), 4_096)[0];

        Assert.Equal(
            "field dictionary from the provider: the summary is not that of a field dictionary",
            new DictionaryConsumer(1).Receive(Wire.Decode(part)).Reason);
    }
}
