using PerfTools.Results.Files;
using Xunit;

namespace Tools.Tests.PerfToolsTests;

[Trait("Category", "Fast")]
public class CsvLineTests
{
    [Theory]
    [InlineData("a,b", new[] { "a", "b" })]
    [InlineData("\"1,000\",x", new[] { "1,000", "x" })]
    [InlineData("\"he said \"\"no\"\"\",", new[] { "he said \"no\"", "" })]
    [InlineData("\"two\nlines\"", new[] { "two\nlines" })]
    [InlineData("a b, c", new[] { "a b", " c" })]
    [InlineData("\"\r\"", new[] { "\r" })]
    public void Write_Values_QuotesThoseThatNeedIt(string line, string[] values)
    {
        using StringWriter writer = new();
        CsvLine.Write(writer, values);
        Assert.Equal(line + "\n", writer.ToString());
    }
}
