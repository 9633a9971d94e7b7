using System.Net.Sockets;
using Xunit;

namespace Tools.Tests.Runs;

/// <summary>Starts that cannot succeed: one line, the right code, nothing started.</summary>
public class StartFaultTests
{
    [Theory]
    [InlineData("ConsPerf", "-threads 4000,4001")]
    [InlineData("ProvPerf", "-bindThread 4000")]
    [InlineData("NIProvPerf", "-bindThread 4000")]
    public void Start_NoSuchProcessor_IsTwoWithoutFiles(string tool, string arguments)
    {
        using RunFolder folder = new();
        folder.Start(tool, arguments).ExpectExit(2, "4000");
        Assert.Empty(Directory.GetFiles(folder.Path));
    }

    [Theory]
    [InlineData("-help")]
    [InlineData("-version")]
    [InlineData("-?")]
    public void Start_Help_IsZero(string argument)
    {
        foreach (string tool in new[] { "ConsPerf", "ProvPerf", "NIProvPerf" })
        {
            (int code, string output, string error) = RunHere(tool, argument);
            Assert.Equal((0, ""), (code, error));
            Assert.Contains(tool, output, StringComparison.Ordinal);
        }
    }

    [Theory]
    [InlineData("ConsPerf", "-itemFile none.xml")]
    [InlineData("ProvPerf", "-p 0 -msgFile none.xml")]
    [InlineData("NIProvPerf", "-itemFile none.xml")]
    [InlineData("NIProvPerf", "-msgFile none.xml")]
    public void Start_BadInputFile_LeavesTheLastResultsAlone(string tool, string arguments)
    {
        using RunFolder folder = new();
        folder.Write("ConsSummary.out", "the last run's\n");
        folder.Write("ProvSummary.out", "the last run's\n");

        folder.Start(tool, arguments).ExpectExit(3, "none.xml");
        Assert.Equal(["the last run's"], folder.Lines("ConsSummary.out"));
        Assert.Equal(["the last run's"], folder.Lines("ProvSummary.out"));
    }

    [Fact]
    public void Start_NoProvider_RetriesThenIsFour()
    {
        using RunFolder folder = new();
        using Socket silent = FreePorts.Refuse(out int port);
        RunningTool consumer = folder.Start("ConsPerf", $"-p {port} -steadyStateTime 10 -itemCount 10 -jsonFile cons.json");

        consumer.ExpectExit(4, "not connected");
        Assert.Contains("will retry", consumer.Output, StringComparison.Ordinal);
        Assert.Equal(4, folder.Final("cons.json").Number("exitCode"));
        Assert.Contains("Steady state was not reached during this test.", string.Join('\n', folder.Lines("ConsSummary.out")),
            StringComparison.Ordinal);
    }

    // Only for what ends before the run begins: the program's files would lie in the tests' working directory.
    private static (int Code, string Output, string Error) RunHere(string tool, string arguments)
    {
        using StringWriter output = new();
        using StringWriter error = new();
        string[] words = OptionLines.Words(arguments);
        int code = tool switch
        {
            "ConsPerf" => ConsPerf.Program.Run(words, output, error),
            "ProvPerf" => ProvPerf.Program.Run(words, output, error),
            _ => NIProvPerf.Program.Run(words, output, error),
        };
        return (code, output.ToString(), error.ToString());
    }
}
