using PerfTools.Processes;
using Xunit;

namespace Tools.Tests.PerfToolsTests;

[Trait("Category", "Fast")]
public class ConsoleLogTests
{
    private const string ReadyLine = "Listening on port ";

    [Theory]
    [InlineData("Listening on port 43127", 43127)]
    [InlineData("  Listening on port 1.", 1)]
    [InlineData("Listening on port 65535 (socket)", 65535)]
    public void TryReadPort_LineWithPort_IsRead(string line, int expected)
    {
        Assert.True(ConsoleLog.TryReadPort(line, ReadyLine, out int port));
        Assert.Equal(expected, port);
    }

    [Theory]
    [InlineData("")]
    [InlineData("Listening on port ")]
    [InlineData("Listening on port x")]
    [InlineData("Listening on port 0")]
    [InlineData("Listening on port 65536")]
    [InlineData("Not listening on port 5")]
    public void TryReadPort_OtherLine_IsNot(string line) => Assert.False(ConsoleLog.TryReadPort(line, ReadyLine, out _));

    [Fact]
    public void Add_BothStreams_AreKeptInOneFile()
    {
        using TestFolder folder = new();
        string path = folder.PathOf("role.log");
        using (ConsoleLog log = new(path, ReadyLine))
        {
            Assert.True(log.Add("Listening on port 12", isError: false));
            Assert.False(log.Add("Listening on port 13", isError: false));
            Assert.False(log.Add("  ConsPerf: broken ", isError: true));
            Assert.False(log.Add("", isError: true));
            Assert.Equal(12, log.Port);
            Assert.Equal("ConsPerf: broken", log.LastErrorLine);
        }

        Assert.Equal("Listening on port 12\nListening on port 13\n  ConsPerf: broken \n\n", File.ReadAllText(path));
    }

    [Fact]
    public void Add_RoleThatNobodyWaitsFor_NamesNoPort()
    {
        using TestFolder folder = new();
        using ConsoleLog log = new(folder.PathOf("role.log"), readyLine: null);
        Assert.False(log.Add("Listening on port 12", isError: false));
        Assert.Null(log.Port);
    }
}
