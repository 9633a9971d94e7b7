using System.Text;
using PerfCommon.Codec;
using PerfCommon.Domains;
using Xunit;

namespace PerfCommon.Tests.Domains;

/// <summary>Two dictionaries, and the answers of a provider that has them.</summary>
internal static class DictionarySamples
{
    public static FieldDictionary Shipped { get; } = DictionaryFiles.Find(null, null, Path.Combine(AppContext.BaseDirectory, "etc"),
        null).Load();

    public static FieldDictionary Small { get; } = LoadSmall();

    public static void AssertEqual(FieldDictionary expected, FieldDictionary actual)
    {
        Assert.Equal(expected.Version, actual.Version);
        Assert.Equal(expected.Definitions, actual.Definitions);
        Assert.Equal(expected.EnumTables.Select(Show), actual.EnumTables.Select(Show));
    }

    public static List<byte[]> PartsOf(DictionaryAnswer answer, int partBytes)
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

    public static DictionaryAnswer AnswerFor(FieldDictionary dictionary, int streamId, string name, uint verbosity)
    {
        RwfMsg request = Wire.Request(DomainType.Dictionary, streamId, 0);
        request.Key = new MsgKey
        {
            Flags = MsgKeyFlags.HasServiceId | MsgKeyFlags.HasName | MsgKeyFlags.HasFilter,
            ServiceId = 3,
            Name = Encoding.ASCII.GetBytes(name),
            Filter = verbosity,
        };
        Assert.Equal(ConversationResult.Send, new DictionaryProvider(dictionary).Receive(request, out DictionaryAnswer? answer));
        return answer!;
    }

    // The meanings of values are not sent.
    private static string Show(EnumTable table) =>
        $"{string.Join(',', table.Fids)}: {string.Join(' ', table.Values.Select(row => $"{row.Value}={Convert.ToHexString(row.Display.Span)}"))}";

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
