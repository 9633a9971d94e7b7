using System.Text;
using PerfCommon.Codec;
using PerfCommon.Domains;
using Xunit;

namespace PerfCommon.Tests.Domains;

public sealed class DictionaryTests
{
    private static readonly FieldDictionary Shipped = LoadShipped();
    private static readonly FieldDictionary Small = LoadSmall();

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

    [Theory]
    [InlineData(65_535)]
    [InlineData(6_142)]
    [InlineData(1_024)]
    public void Download_ShippedDictionary_ArrivesEqual(int partBytes) =>
        AssertEqual(Shipped, Download(Shipped, DictionaryVerbosity.Normal, partBytes, Math.Max(partBytes, 2_000)));

    [Fact]
    public void Download_SmallDictionary_ArrivesEqualInPartsOfEverySize()
    {
        for (int partBytes = 260; partBytes < 700; partBytes++)
            AssertEqual(Small, Download(Small, DictionaryVerbosity.Normal, partBytes, partBytes));
    }

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

    [Fact]
    public void Download_Minimal_LeavesLongNamesOut()
    {
        FieldDictionary got = Download(Small, DictionaryVerbosity.Minimal, 4_096, 4_096);

        Assert.All(got.Definitions, field => Assert.Equal(("", 0), (field.LongName, field.EnumLength)));
        Assert.Equal(Small.Definitions.Select(field => field.DataType), got.Definitions.Select(field => field.DataType));
    }

    [Theory]
    [InlineData("RWFOther")]
    [InlineData("")]
    public void Provider_UnknownName_IsRefused(string name)
    {
        List<byte[]> parts = PartsOf(AnswerFor(Small, 33, name, DictionaryVerbosity.Normal), 4_096);

        RwfMsg status = Wire.Decode(Assert.Single(parts));

        Assert.Equal((MsgClass.Status, DomainType.Dictionary, 33, 0x20), (status.MsgClass, status.DomainType, status.StreamId, status.Flags));
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
            new DictionaryProvider(Small).Take(msg, out DictionaryAnswer? answer));
        Assert.Null(answer);
    }

    [Theory]
    [InlineData(MsgClass.Close, ConversationStep.Closed)]
    [InlineData(MsgClass.Generic, ConversationStep.Disconnect)]
    [InlineData(MsgClass.Refresh, ConversationStep.Disconnect)]
    internal void Provider_OtherClass_ClosesOrDisconnects(MsgClass msgClass, ConversationStep step) =>
        Assert.Equal(step, new DictionaryProvider(Small).Take(Wire.Empty(msgClass, DomainType.Dictionary, 3), out _).Step);

    [Fact]
    public void Consumer_Refused_SaysWhyWhateverTheDomain() => Assert.Equal(
        new ConversationResult(ConversationStep.Refused, "dictionary request refused: Closed/Suspect/NotEntitled \"go away\\u000A\""),
        new DictionaryConsumer(1).Take(Wire.Status(DomainType.MarketPrice, StreamIds.EnumDictionary, StreamState.Closed, DataState.Suspect)));

    [Fact]
    public void Consumer_OtherStream_IsIgnored() => Assert.Equal(
        ConversationResult.Ignore,
        new DictionaryConsumer(1).Take(Wire.Status(DomainType.Dictionary, 5, StreamState.Closed, DataState.Suspect)));

    [Fact]
    public void Consumer_FieldTwice_IsRefused()
    {
        DictionaryConsumer consumer = new(1);
        byte[] part = PartsOf(AnswerFor(Small, StreamIds.FieldDictionary, "RWFFld", DictionaryVerbosity.Normal), 4_096)[0];
        MsgPatch.TrySetFlags(part, RefreshFlags.HasMsgKey);

        Assert.Equal(ConversationStep.Ignore, consumer.Take(Wire.Decode(part)).Step);
        Assert.Equal("field dictionary from the provider: field id -10 is 0 or defined twice", consumer.Take(Wire.Decode(part)).Reason);
    }

    [Fact]
    public void Consumer_EnumAnswerOnFieldStream_IsRefused()
    {
        byte[] part = PartsOf(AnswerFor(Small, StreamIds.FieldDictionary, "RWFEnum", DictionaryVerbosity.Normal), 4_096)[0];

        Assert.Equal(
            "field dictionary from the provider: the summary is not that of a field dictionary",
            new DictionaryConsumer(1).Take(Wire.Decode(part)).Reason);
    }

    [Fact]
    public void Decoder_StandardElementsInOtherOrderWithAliases_AreTaken()
    {
        byte[] row = Wire.Elements(WriteTableByAliases);
        byte[] room = new byte[1024];
        RwfWriter writer = new(room);
        writer.BeginSeries(DataType.ElementList);
        writer.BeginSeriesEntry();
        writer.WriteContent(row);
        writer.EndSeries();
        FieldDictionaryBuilder builder = new();

        Assert.Null(new EnumTablesDecoder(builder).FindProblem(room.AsSpan(0, writer.Written)));

        Assert.True(builder.Build().TryFindEnumTable(4, out EnumTable? table));
        Assert.True(table.TryFind(7, out EnumValue? value));
        Assert.Equal("seven", Encoding.ASCII.GetString(value.Display.Span));
    }

    [Fact]
    public void Decoder_DamagedParts_NeverThrow()
    {
        List<byte[]> parts =
        [
            .. PartsOf(AnswerFor(Small, StreamIds.FieldDictionary, "RWFFld", DictionaryVerbosity.Normal), 600),
            .. PartsOf(AnswerFor(Small, StreamIds.EnumDictionary, "RWFEnum", DictionaryVerbosity.Normal), 600),
        ];
        Random random = new(20261121);
        for (int i = 0; i < 20_000; i++)
        {
            DictionaryConsumer consumer = new(1);
            byte[] bad = Mutation.Of(parts[i % parts.Count], random);
            if (RwfMsg.TryDecode(bad, out RwfMsg msg) == DecodeResult.Success)
                consumer.Take(msg);
        }
    }

    internal static void AssertEqual(FieldDictionary expected, FieldDictionary actual)
    {
        Assert.Equal(expected.Version, actual.Version);
        Assert.Equal(expected.Definitions, actual.Definitions);
        Assert.Equal(expected.EnumTables.Select(Show), actual.EnumTables.Select(Show));
    }

    internal static List<byte[]> PartsOf(DictionaryAnswer answer, int partBytes)
    {
        List<byte[]> parts = [];
        byte[] room = new byte[partBytes];
        while (!answer.IsDone)
        {
            int length = answer.EncodeNext(room);
            Assert.True(length > 0);
            parts.Add(room[..length]);
        }

        return parts;
    }

    internal static DictionaryAnswer AnswerFor(FieldDictionary dictionary, int streamId, string name, uint verbosity)
    {
        RwfMsg request = Wire.Request(DomainType.Dictionary, streamId, 0);
        request.Key = new MsgKey
        {
            Flags = MsgKeyFlags.HasServiceId | MsgKeyFlags.HasName | MsgKeyFlags.HasFilter,
            ServiceId = 3,
            Name = Encoding.ASCII.GetBytes(name),
            Filter = verbosity,
        };
        Assert.Equal(ConversationResult.Send, new DictionaryProvider(dictionary).Take(request, out DictionaryAnswer? answer));
        return answer!;
    }

    private static FieldDictionary Download(FieldDictionary dictionary, uint verbosity, int fieldPartBytes, int enumPartBytes)
    {
        DictionaryConsumer consumer = new(3);
        ConversationStep last = ConversationStep.Ignore;
        foreach (byte[] part in PartsOf(AnswerFor(dictionary, StreamIds.EnumDictionary, "RWFEnum", verbosity), enumPartBytes))
            last = consumer.Take(Wire.Decode(part)).Step;
        Assert.Equal(ConversationStep.Ignore, last);
        foreach (byte[] part in PartsOf(AnswerFor(dictionary, StreamIds.FieldDictionary, "RWFFld", verbosity), fieldPartBytes))
        {
            Assert.Equal(ConversationStep.Ignore, last);
            last = consumer.Take(Wire.Decode(part)).Step;
        }

        Assert.Equal(ConversationStep.Ready, last);
        return consumer.Dictionary!;
    }

    // The meanings of values do not travel.
    private static string Show(EnumTable table) =>
        $"{string.Join(',', table.Fids)}: {string.Join(' ', table.Values.Select(row => $"{row.Value}={Convert.ToHexString(row.Display.Span)}"))}";

    private static void WriteTableByAliases(ref RwfWriter writer)
    {
        writer.BeginElement("DISPLAYS"u8, DataType.Array);
        writer.BeginArray(DataType.Utf8String);
        writer.WriteItem("seven"u8);
        writer.EndArray();
        writer.EndEntry();
        writer.WriteUIntElement("Unknown"u8, 5);
        writer.BeginElement("VALUES"u8, DataType.Array);
        writer.BeginArray(DataType.Enum);
        writer.BeginItem();
        writer.WriteUInt(7);
        writer.EndArray();
        writer.EndEntry();
        writer.BeginElement("FID"u8, DataType.Array);
        writer.BeginArray(DataType.Int);
        writer.BeginItem();
        writer.WriteInt(4);
        writer.EndArray();
        writer.EndEntry();
    }

    private static FieldDictionary LoadShipped()
    {
        string folder = Path.Combine(AppContext.BaseDirectory, "etc");
        return DictionaryFiles.Find(null, null, folder, null)!.Load();
    }

    private static FieldDictionary LoadSmall()
    {
        FieldDictionaryBuilder builder = new();
        using StringReader fields = new("""
            !tag DictionaryId 5
            !tag Version 9.8
            ONE "number one" 1 NULL INTEGER 5 UINT 2
            MINUS "below" -10 ONE PRICE 17 REAL 7
            ENUM "one of" 14 NULL ENUMERATED 2 ( 1 ) ENUM 1
            LONG "a field with quite a long name for people, to fill a part" 32000 NULL LONG_ALPHANUMERIC 400 RMTES_STRING 400
            NEW "no older type" 500 NULL NONE 0 DATETIME 12
            BOX "a container" 501 NULL OPAQUE 0 MAP 1000
            """);
        new FieldDictionaryFile(builder).Read(fields, "fields");
        using StringReader enums = new("""
            !tag DictionaryId 5
            !tag RT_Version 1
            !tag DT_Version 2
            ENUM 14
            OTHER 4000
              300 "BIG" large
              0 "   " none
              1 #DEFE# up
            PLAIN 15
              2 "two"
            """);
        new EnumTypeFile(builder).Read(enums, "enums");
        return builder.Build();
    }
}
