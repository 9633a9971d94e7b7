using PerfTools.Processes;
using Xunit;

namespace Tools.Tests.PerfToolsTests;

[Trait("Category", "Fast")]
public class ArgumentTextTests
{
    [Theory]
    [InlineData("", new string[0])]
    [InlineData("   ", new string[0])]
    [InlineData("-threads 2  -reactor", new[] { "-threads", "2", "-reactor" })]
    [InlineData("-msgFile 'my data.xml'", new[] { "-msgFile", "my data.xml" })]
    [InlineData("-msgFile \"my data.xml\" x", new[] { "-msgFile", "my data.xml", "x" })]
    [InlineData("a\\ b 'c\\d' \"e\\\"f\" \"g\\h\"", new[] { "a b", "c\\d", "e\"f", "g\\h" })]
    [InlineData("-uname ''", new[] { "-uname", "" })]
    [InlineData("x'y'\"z\"", new[] { "xyz" })]
    [InlineData("$HOME *", new[] { "$HOME", "*" })]
    public void TrySplit_QuotedText_SplitsLikeAShell(string text, string[] expected)
    {
        Assert.True(ArgumentText.TrySplit(text, out IReadOnlyList<string> arguments, out string? problem));
        Assert.Equal(expected, arguments);
        Assert.Null(problem);
    }

    [Theory]
    [InlineData("-msgFile 'my data", "the quote ' is not closed")]
    [InlineData("\"", "the quote \" is not closed")]
    public void TrySplit_OpenQuote_SaysSo(string text, string expected)
    {
        Assert.False(ArgumentText.TrySplit(text, out _, out string? problem));
        Assert.Equal(expected, problem);
    }

    [Theory]
    [InlineData("plain-1.xml")]
    [InlineData("two words")]
    [InlineData("it's")]
    [InlineData("")]
    [InlineData("back\\slash \"quotes\" $dollar")]
    public void Quote_AnyArgument_SplitsBackToItself(string argument)
    {
        Assert.True(ArgumentText.TrySplit(ArgumentText.Quote(argument), out IReadOnlyList<string> arguments, out _));
        Assert.Equal([argument], arguments);
    }
}
