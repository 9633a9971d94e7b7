using System.Text;
using Xunit;

namespace PerfCommon.Tests;

public class PrintableTextTests
{
    [Theory]
    [InlineData("DIRECT_FEED", "DIRECT_FEED")]
    [InlineData("a\nb\r\t\u001b[31m", "a\\u000Ab\\u000D\\u0009\\u001B[31m")]
    [InlineData("x\u202Ey\u2028", "x\\u202Ey\\u2028")]
    [InlineData("Zürich 東京 😀", "Zürich 東京 😀")]
    [InlineData("", "")]
    public void From_Text_EscapesWhatIsNotPrintable(string text, string printable) => Assert.Equal(printable, PrintableText.From(text));

    [Fact]
    public void From_BytesThatAreNotUtf8_BecomeReplacementCharacters() => Assert.Equal("a\uFFFDb", PrintableText.From([0x61, 0xFF, 0x62]));

    [Theory]
    [InlineData(128, 128)]
    [InlineData(129, 128)]
    [InlineData(1_000_000, 128)]
    public void From_LongText_IsCut(int length, int printed)
    {
        string text = PrintableText.From(Encoding.ASCII.GetBytes(new string('x', length)));
        Assert.Equal(printed, text.Length);
        Assert.Equal(length > 128, text.EndsWith("...", StringComparison.Ordinal));
    }

    [Fact]
    public void From_CutWithinAnEscape_KeepsNoHalfOfIt()
    {
        string text = PrintableText.From(new string('x', 122) + "\n\n\n");
        Assert.Equal(new string('x', 122) + "...", text);
    }
}
