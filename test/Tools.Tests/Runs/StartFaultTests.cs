using System.Net;
using System.Net.Sockets;
using Xunit;

namespace Tools.Tests.Runs;

/// <summary>Starts that cannot succeed: one line, the right code, nothing started.</summary>
[Collection(ProgramRuns.Name)]
public class StartFaultTests
{
    [Theory]
    [InlineData("ConsPerf", "-itemcount 5", "did you mean -itemCount?")]
    [InlineData("ProvPerf", "-updaterate 5", "did you mean -updateRate?")]
    [InlineData("ConsPerf", "-itemCount many", "-itemCount: 'many'")]
    [InlineData("ProvPerf", "-tickRate 0", "-tickRate")]
    [InlineData("ConsPerf", "-threads 9", "-threads")]
    [InlineData("ProvPerf", "-threads 9", "-threads")]
    [InlineData("ConsPerf", "-postingRate 1000", "not available in this version")]
    [InlineData("ProvPerf", "-latencyUpdateRate 2000", "-latencyUpdateRate")]
    [InlineData("ConsPerf", "loose", "loose")]
    public void Start_WrongOption_IsOneLineAndTwo(string tool, string arguments, string reason)
    {
        (int code, string output, string error) = RunHere(tool, arguments);

        Assert.Equal(2, code);
        Assert.Equal("", output);
        Assert.StartsWith($"{tool}: ", error, StringComparison.Ordinal);
        Assert.Single(error, letter => letter == '\n');
        Assert.Contains(reason, error, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("ConsPerf", "-threads 4000,4001")]
    [InlineData("ProvPerf", "-bindThread 4000")]
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
        foreach (string tool in new[] { "ConsPerf", "ProvPerf" })
        {
            (int code, string output, string error) = RunHere(tool, argument);
            Assert.Equal((0, ""), (code, error));
            Assert.Contains(tool, output, StringComparison.Ordinal);
        }
    }

    [Theory]
    [InlineData("ConsPerf", "-itemFile none.xml", "none.xml")]
    [InlineData("ConsPerf", "-itemFile broken.xml -itemCount 2", "broken.xml(3)")]
    [InlineData("ConsPerf", "-itemFile short.xml -itemCount 3", "short.xml")]
    [InlineData("ConsPerf", "-fieldDict none.txt", "none.txt")]
    [InlineData("ProvPerf", "-fieldDict broken.xml", "broken.xml")]
    [InlineData("ProvPerf", "-p 0 -msgFile none.xml", "none.xml")]
    [InlineData("ProvPerf", "-p 0 -msgFile broken.xml", "broken.xml(")]
    [InlineData("ProvPerf", "-p 0 -msgFile type.xml", "type.xml(10)")]
    [InlineData("ProvPerf", "-p 0 -msgFile unknown.xml", "unknown.xml(10)")]
    [InlineData("ProvPerf", "-p 0 -msgFile empty.xml", "empty.xml")]
    public void Start_BadInputFile_NamesFileAndLineAndLeavesResultsAlone(string tool, string arguments, string reason)
    {
        using RunFolder folder = new();
        WriteInputs(folder);
        folder.Write("ConsSummary.out", "the last run's\n");
        folder.Write("ProvSummary.out", "the last run's\n");

        folder.Start(tool, arguments).ExpectExit(3, reason);
        Assert.Equal(["the last run's"], folder.Lines("ConsSummary.out"));
        Assert.Equal(["the last run's"], folder.Lines("ProvSummary.out"));
    }

    [Fact]
    public void Start_PortInUse_IsFour()
    {
        using TcpListener holder = new(IPAddress.Any, 0);
        holder.Start();
        int port = ((IPEndPoint)holder.LocalEndpoint).Port;
        using RunFolder folder = new();

        folder.Start("ProvPerf", $"-p {port}").ExpectExit(4, $"{port}");
    }

    [Fact]
    public void Start_UnknownInterface_IsFour()
    {
        using RunFolder folder = new();
        folder.Start("ProvPerf", "-p 0 -if no-such-interface0").ExpectExit(4, "no-such-interface0");
    }

    [Fact]
    public void Start_NoProvider_RetriesThenIsFour()
    {
        using RunFolder folder = new();
        ToolProcess consumer = folder.Start("ConsPerf", $"-p {FreePort()} -steadyStateTime 2 -itemCount 10 -jsonFile cons.json");

        consumer.ExpectExit(4, "not connected");
        Assert.Contains("will retry", consumer.Output, StringComparison.Ordinal);
        Assert.Equal(4, folder.Final("cons.json").Number("exitCode"));
        Assert.Contains("Steady state was not reached during this test.", string.Join('\n', folder.Lines("ConsSummary.out")), StringComparison.Ordinal);
    }

    [Fact]
    public void Start_WrongService_IsFourAfterTheLimit()
    {
        using RunFolder folder = new();
        ToolProcess provider = folder.StartProvider();
        folder.RunConsumer(provider, "-steadyStateTime 3 -itemCount 10 -serviceName OTHER").ExpectExit(4, "service OTHER is not up");

        Assert.Equal(0, folder.Final("cons.json").Count("requestsSent"));
        Assert.False(provider.HasExited);
    }

    [Theory]
    [InlineData("-summaryFile missing/a.out", "missing/a.out")]
    [InlineData("-statsFile missing/a", "missing/a1.csv")]
    [InlineData("-latencyFile missing/a", "missing/a1.csv")]
    [InlineData("-jsonFile missing/a", "missing/a")]
    public void Start_OutputCannotBeCreated_IsSeven(string option, string reason)
    {
        using RunFolder folder = new();
        folder.Start("ConsPerf", $"-itemCount 10 {option}").ExpectExit(7, reason);
        folder.Start("ProvPerf", $"-p 0 {option}").ExpectExit(7, reason);
    }

    // Only for what ends before the run begins: the program's files would lie in the tests' working directory.
    private static (int Code, string Output, string Error) RunHere(string tool, string arguments)
    {
        using StringWriter output = new();
        using StringWriter error = new();
        string[] words = OptionLines.Words(arguments);
        int code = tool == "ConsPerf" ? ConsPerf.Program.Run(words, output, error) : ProvPerf.Program.Run(words, output, error);
        return (code, output.ToString(), error.ToString());
    }

    private static int FreePort()
    {
        using TcpListener listener = new(IPAddress.Loopback, 0);
        listener.Start();
        return ((IPEndPoint)listener.LocalEndpoint).Port;
    }

    private static void WriteInputs(RunFolder folder)
    {
        folder.Write("broken.xml", "<itemList>\n<item domain=\"MarketPrice\" name=\"A\"/>\n<item domain=\"MarketPrice\" name=B/>\n</itemList>\n");
        folder.Write("short.xml", "<itemList>\n<item domain=\"MarketPrice\" name=\"A\"/>\n</itemList>\n");
        folder.Write("empty.xml", "");
        folder.Take("MsgData.xml", text => text.Replace("fieldId=\"1\" dataType=\"RSSL_DT_UINT\"", "fieldId=\"1\" dataType=\"RSSL_DT_DATE\"", StringComparison.Ordinal));
        File.Move(folder.PathOf("MsgData.xml"), folder.PathOf("type.xml"));
        folder.Take("MsgData.xml", text => text.Replace("fieldId=\"1\" dataType", "fieldId=\"-32000\" dataType", StringComparison.Ordinal));
        File.Move(folder.PathOf("MsgData.xml"), folder.PathOf("unknown.xml"));
    }
}
