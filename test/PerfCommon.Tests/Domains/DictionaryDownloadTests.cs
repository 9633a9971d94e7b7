using PerfCommon.Domains;
using Xunit;
using static PerfCommon.Tests.Domains.DictionarySamples;

namespace PerfCommon.Tests.Domains;

/// <summary>A dictionary sent from a provider to a consumer.</summary>
public sealed class DictionaryDownloadTests
{
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
    public void Download_Minimal_LeavesLongNamesOut()
    {
        FieldDictionary got = Download(Small, DictionaryVerbosity.Minimal, 4_096, 4_096);

        Assert.All(got.Definitions, field => Assert.Equal(("", 0), (field.LongName, field.EnumLength)));
        Assert.Equal(Small.Definitions.Select(field => field.DataType), got.Definitions.Select(field => field.DataType));
    }

    private static FieldDictionary Download(FieldDictionary dictionary, uint verbosity, int fieldPartBytes, int enumPartBytes)
    {
        DictionaryConsumer consumer = new(3);
        ConversationStep last = ConversationStep.Ignore;
        foreach (byte[] part in PartsOf(AnswerFor(dictionary, StreamIds.EnumDictionary, "RWFEnum", verbosity), enumPartBytes))
            last = consumer.Receive(Wire.Decode(part)).Step;
        Assert.Equal(ConversationStep.Ignore, last);
        foreach (byte[] part in PartsOf(AnswerFor(dictionary, StreamIds.FieldDictionary, "RWFFld", verbosity), fieldPartBytes))
        {
            Assert.Equal(ConversationStep.Ignore, last);
            last = consumer.Receive(Wire.Decode(part)).Step;
        }

        Assert.Equal(ConversationStep.Ready, last);
        return consumer.Dictionary!;
    }
}
