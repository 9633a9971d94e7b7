using PerfTools.Hosting.CommandLine;
using Xunit;

namespace PerfCommon.Tests.Hosting.CommandLine;

/// <summary>The width of the help: that of the terminal less one column, 100 at most, and 24 for the meaning at least.</summary>
[Trait("Category", "Fast")]
public sealed class HelpTextTests
{
    [Theory]
    [InlineData(null, 66)]
    [InlineData(200, 66)]
    [InlineData(101, 66)]
    [InlineData(100, 65)]
    [InlineData(60, 25)]
    [InlineData(59, 24)]
    [InlineData(40, 24)]
    public void AddOption_MeaningOfAWholeLine_IsNotWrappedAndOneLetterMoreIs(int? columns, int width)
    {
        Assert.Equal(["  -x                              a " + new string('b', width - 2)], Lines(width));
        Assert.Equal(["  -x                              a", new string(' ', 34) + new string('b', width - 1)], Lines(width + 1));

        string[] Lines(int length)
        {
            HelpText text = new(columns);
            text.AddOption("-x", "a " + new string('b', length - 2));
            return text.ToString().Split('\n', StringSplitOptions.RemoveEmptyEntries);
        }
    }

    [Theory]
    [InlineData(30, 1)]
    [InlineData(31, 2)]
    public void AddOption_LongNames_HaveALineForThemselves(int letters, int lines)
    {
        HelpText text = new(null);
        text.AddOption(new string('x', letters), "meaning");
        string[] written = text.ToString().Split('\n', StringSplitOptions.RemoveEmptyEntries);
        Assert.Equal(lines, written.Length);
        Assert.EndsWith("  meaning", written[^1], StringComparison.Ordinal);
        Assert.Equal(34, written[^1].IndexOf("meaning", StringComparison.Ordinal));
    }
}
