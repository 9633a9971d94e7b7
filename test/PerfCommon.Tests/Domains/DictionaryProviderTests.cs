using PerfCommon.Codec;
using PerfCommon.Domains;
using Xunit;
using static PerfCommon.Tests.Domains.DictionarySamples;

namespace PerfCommon.Tests.Domains;

public sealed class DictionaryProviderTests
{
    [Fact]
    public void EncodeNext_RoomTooSmallForARow_WritesNothingAndStays()
    {
        DictionaryAnswer answer = AnswerFor(Small, StreamIds.FieldDictionary, "RWFFld", DictionaryVerbosity.Normal);
        byte[] room = new byte[4096];

        for (int size = 0; size < 180; size++)
            Assert.Equal(0, answer.EncodeNext(room.AsSpan(0, size)));

        Assert.False(answer.IsDone);
        Assert.True(answer.EncodeNext(room) > 0);
        Assert.True(answer.IsDone);
        Assert.Equal(0, answer.EncodeNext(room));
    }

    [Fact]
    public void EncodeNext_FieldParts_HaveTheHeadersOfThePerfTools()
    {
        List<byte[]> parts = PartsOf(AnswerFor(Shipped, 17, "RWFFld", DictionaryVerbosity.Normal), 2_000);

        Assert.True(parts.Count > 2);
        for (int i = 0; i < parts.Count; i++)
        {
            RwfMsg msg = Wire.Decode(parts[i]);
            Assert.Equal((17, i == parts.Count - 1 ? 0x68 : 0x28), (msg.StreamId, msg.Flags));
            Assert.Equal((StreamState.Open, DataState.Ok), (msg.State.StreamState, msg.State.DataState));
            Assert.Equal(((ushort)3, "RWFFld", 7u), (msg.Key.ServiceId, PrintableText.FromTerminated(msg.Key.Name), msg.Key.Filter));
            Assert.Equal(DecodeResult.Success, SeriesReader.TryOpen(msg.Payload, out SeriesReader series));
            Assert.Equal(i == 0 ? 7 : 1, series.Shared.Flags);
            Assert.Equal(i == 0 ? Shipped.Definitions.Count : 0, series.Shared.TotalCountHint);
        }

        Assert.Equal("Field Dictionary Refresh (starting fid -32768)", PrintableText.FromTerminated(Wire.Decode(parts[0]).State.Text));
    }

    [Theory]
    [InlineData("RWFFld", DictionaryVerbosity.Info, 6)]
    [InlineData("RWFFld", DictionaryVerbosity.Minimal, 7)]
    [InlineData("RWFEnum", DictionaryVerbosity.Info, 2)]
    [InlineData("RWFEnum", DictionaryVerbosity.Verbose, 3)]
    public void EncodeNext_Verbosity_DecidesSeriesFlags(string name, uint verbosity, int flags)
    {
        List<byte[]> parts = PartsOf(AnswerFor(Small, 3, name, verbosity), 4_096);

        SeriesReader.TryOpen(Wire.Decode(Assert.Single(parts)).Payload, out SeriesReader series);

        Assert.Equal(flags, series.Shared.Flags);
        Assert.Equal(verbosity == DictionaryVerbosity.Info, series.Shared.Entries.Count == 0);
    }

    [Theory]
    [InlineData("RWFOther")]
    [InlineData("")]
    public void Provider_UnknownName_IsRefused(string name)
    {
        List<byte[]> parts = PartsOf(AnswerFor(Small, 33, name, DictionaryVerbosity.Normal), 4_096);

        RwfMsg status = Wire.Decode(Assert.Single(parts));

        Assert.Equal((MsgClass.Status, DomainType.Dictionary, 33, 0x20),
            (status.MsgClass, status.DomainType, status.StreamId, status.Flags));
        Assert.Equal(
            "Closed/Suspect/NotFound \"Dictionary request rejected for stream id 33 - dictionary name unknown\"",
            DomainMsg.Show(status.State));
    }

    [Theory]
    [InlineData(MsgKeyFlags.HasName | MsgKeyFlags.HasFilter)]
    [InlineData(MsgKeyFlags.HasServiceId | MsgKeyFlags.HasFilter)]
    [InlineData(MsgKeyFlags.HasServiceId | MsgKeyFlags.HasName)]
    public void Provider_KeyIncomplete_Disconnects(int keyFlags)
    {
        RwfMsg msg = Wire.Request(DomainType.Dictionary, 3, 0);
        msg.Key = new MsgKey { Flags = keyFlags, Name = "RWFFld"u8 };

        Assert.Equal(
            new ConversationResult(ConversationStep.Disconnect, "a dictionary request must have service id, name and filter"),
            new DictionaryProvider(Small).Receive(msg, out DictionaryAnswer? answer));
        Assert.Null(answer);
    }

    [Theory]
    [InlineData(MsgClass.Close, ConversationStep.Closed)]
    [InlineData(MsgClass.Generic, ConversationStep.Disconnect)]
    [InlineData(MsgClass.Refresh, ConversationStep.Disconnect)]
    internal void Provider_OtherClass_ClosesOrDisconnects(MsgClass msgClass, ConversationStep step) =>
        Assert.Equal(step, new DictionaryProvider(Small).Receive(Wire.Empty(msgClass, DomainType.Dictionary, 3), out _).Step);
}
