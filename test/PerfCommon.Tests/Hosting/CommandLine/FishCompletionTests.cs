using PerfTools.Hosting.CommandLine;
using Xunit;

namespace PerfCommon.Tests.Hosting.CommandLine;

/// <summary>The lines by which fish completes a program; Tools.Tests has fish read them.</summary>
[Trait("Category", "Fast")]
public sealed class FishCompletionTests
{
    private static readonly CompletedOption[] Options =
    [
        new(["-help", "-?"], "this text", HasValue: false, []),
        new(["--seconds"], "length of a run", HasValue: true, []),
        new(["-connType"], "it's a choice", HasValue: true, ["socket", "encrypted"]),
    ];

    [Fact]
    public void Create_Option_HasItsNamesItsValuesAndItsHelp()
    {
        string[] lines = FishCompletion.Create("sample", [new("", [], Options)]).Split('\n');
        Assert.Equal(
            [
                "complete -c sample -n '__sample_at \\'\\'' -o help -o ? -d 'this text'",
                "complete -c sample -n '__sample_at \\'\\'' -l seconds -r -d 'length of a run'",
                "complete -c sample -n '__sample_at \\'\\'' -o connType -x -a 'socket encrypted' -d 'it\\'s a choice'",
            ],
            lines.Where(line => line.StartsWith("complete ", StringComparison.Ordinal)));
        Assert.Contains("    contains -- \"$next\"; and set path \"$next\"", lines);
    }

    [Fact]
    public void Create_Commands_AreKnownByTheirPathsAndOfferTheirWords()
    {
        string[] lines = FishCompletion.Create("sample", [new("", [("run", "runs \\ it")], []), new("run direct", [], [])]).Split('\n');
        Assert.Contains("complete -c sample -n '__sample_at \\'\\'' -f -a 'run' -d 'runs \\\\ it'", lines);
        Assert.Contains("    contains -- \"$next\" 'run direct'; and set path \"$next\"", lines);
    }
}
