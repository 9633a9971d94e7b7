using PerfCommon.Codec;
using PerfCommon.Domains;
using Xunit;

namespace PerfCommon.Tests.Domains;

/// <content>Items and the dictionaries they need.</content>
public sealed partial class RecordedSessionTests
{
    [Theory(SkipTestWithoutData = true)]
    [MemberData(nameof(Files))]
    public void ItemRequests_Ours_MeanTheSame(string file)
    {
        int compared = 0;
        foreach ((bool fromClient, byte[] bytes) in Load(file).Messages)
        {
            RwfMsg msg = Wire.Decode(bytes);
            const int Ours = RequestFlags.Streaming | RequestFlags.HasQos;
            if (msg.MsgClass != MsgClass.Request || msg.DomainType != DomainType.MarketPrice || (msg.Flags & ~Ours) != 0
                || msg.Key.Flags != (MsgKeyFlags.HasServiceId | MsgKeyFlags.HasName))
            {
                continue;
            }

            ServiceInfo service = new() { Id = msg.Key.ServiceId, Qos = msg.Has(RequestFlags.HasQos) ? msg.Qos : null };
            byte[] name = msg.Key.Name.ToArray();
            int streamId = msg.StreamId;
            bool streaming = msg.Has(RequestFlags.Streaming);
            byte[] encoded = Wire.Encode(room => MarketPriceConsumer.EncodeRequest(room, streamId, service, name, streaming));
            AssertSameHeader(bytes, encoded);
            compared++;
        }

        Assert.SkipWhen(compared == 0, "no item request of our form in this recording");
    }

    [Theory(SkipTestWithoutData = true)]
    [MemberData(nameof(Files))]
    public void Images_Recorded_HaveOurHeader(string file)
    {
        int compared = 0;
        SessionRecording recording = Load(file);
        foreach ((bool fromClient, byte[] bytes) in recording.Messages)
        {
            RwfMsg msg = Wire.Decode(bytes);
            bool isImage = !fromClient && msg.MsgClass == MsgClass.Refresh && msg.DomainType == DomainType.MarketPrice
                && ItemChanges.Of(msg) == ItemChange.Image && msg.Has(RefreshFlags.Solicited)
                    && msg.Key.Has(MsgKeyFlags.HasName);
            if (!isImage)
                continue;
            byte[] room = new byte[512];
            RwfWriter writer = new(room);
            ServiceOffer service = new() { Name = "x", Id = msg.Key.ServiceId };
            bool streaming = msg.State.StreamState == StreamState.Open;
            byte? nameType = msg.Key.Has(MsgKeyFlags.HasNameType) ? msg.Key.NameType : null;
            Assert.True(MarketPriceHeaders.TryWriteRefreshHeader(
                ref writer, msg.StreamId, service, msg.Key.Name, nameType, streaming, isSolicited: true,
                isPrivate: msg.Has(RefreshFlags.PrivateStream)));
            AssertSameHeader(bytes, room[..writer.Written]);
            compared++;
        }

        Assert.SkipWhen(compared == 0, "no image in this recording");
    }

    [Theory(SkipTestWithoutData = true)]
    [MemberData(nameof(Files))]
    public void Dictionary_Recorded_ArrivesAndTravelsOn(string file)
    {
        DictionaryConsumer consumer = new(1);
        ConversationStep last = ConversationStep.Ignore;
        foreach ((_, byte[] bytes) in Load(file).Messages)
        {
            RwfMsg msg = Wire.Decode(bytes);
            if (msg.DomainType != DomainType.Dictionary || msg.MsgClass != MsgClass.Refresh)
                continue;

            // The Java consumer requests the enum tables on stream 2.
            msg.StreamId = msg.Key.Name.SequenceEqual(DictionaryNames.Fields) ? StreamIds.FieldDictionary : StreamIds.EnumDictionary;
            last = consumer.Receive(msg).Step;
        }

        Assert.SkipWhen(consumer.Dictionary is null && last == ConversationStep.Ignore, "no dictionary in this recording");
        Assert.Equal(ConversationStep.Ready, last);
        FieldDictionary dictionary = consumer.Dictionary!;
        Assert.True(dictionary.Definitions.Count > 0 && dictionary.EnumTables.Count > 0);

        FieldDictionaryBuilder again = new();
        foreach (byte[] part in DictionarySamples.PartsOf(DictionarySamples.AnswerFor(dictionary, 3, "RWFFld", DictionaryVerbosity.Normal),
            6_142))
        {
            Assert.Null(new FieldDictionaryDecoder(again).FindProblem(Wire.Decode(part).Payload));
        }

        foreach (byte[] part in DictionarySamples.PartsOf(DictionarySamples.AnswerFor(dictionary, 4, "RWFEnum", DictionaryVerbosity.Normal),
            6_142))
        {
            Assert.Null(new EnumTablesDecoder(again).FindProblem(Wire.Decode(part).Payload));
        }

        DictionarySamples.AssertEqual(dictionary, again.Build());
    }
}
