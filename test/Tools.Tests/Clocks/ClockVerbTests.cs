using System.Net;
using PerfCommon.Measurement;
using PerfTools;
using PerfTools.Hosting.Clocks;
using PerfTools.Verbs;
using Tools.Tests.PerfToolsTests;
using Tools.Tests.Runs;
using Xunit;

namespace Tools.Tests.Clocks;

/// <summary><c>perftools clock</c>.</summary>
public sealed class ClockVerbTests : IDisposable
{
    private const string Key = "0123456789abcdef0123456789abcdef";

    private readonly TestFolder _folder = new();
    private readonly StringWriter _output = new();
    private readonly StringWriter _error = new();

    public ClockVerbTests() => File.WriteAllText(_folder.PathOf("key"), Key);

    [Fact]
    public void Probe_PeerThatIsAhead_PrintsOffsetDriftBoundAndState()
    {
        using ClockAnswerer answerer = ClockAnswerer.Listen(new IPEndPoint(IPAddress.Loopback, 0), System.Text.Encoding.ASCII.GetBytes(Key),
            () => Clock.NowNanos + (5_000 * Clock.NanosPerSecond));
        Assert.Equal(0, Run("clock", answerer.Local.ToString(), "--key-file", _folder.PathOf("key")));
        string[] lines = _output.ToString().Split('\n');
        Assert.Equal($"Clock of {answerer.Local} by udp: bounded", lines[0]);
        Assert.Matches("^  offset (5000|4999.99)", lines[1]);
        Assert.Equal(["offset", "drift", "bound", "round", "exchanges"], lines[1..6].Select(line => line.Trim().Split(' ')[0]));
    }

    [Fact]
    public void Listen_UntilASignal_AnswersAndCounts()
    {
        using RunFolder runs = new();
        File.WriteAllText(runs.PathOf("key"), Key);
        RunningTool listener = runs.StartProcess("perftools", "clock --listen 0 --key-file key --clock-stamps kernel");
        string address = listener.WaitForLine("answering at ").Split("answering at ")[1].Split(' ')[0];
        Assert.Equal(0, Run("clock", address, "--key-file", _folder.PathOf("key")));
        Assert.Contains(LinuxClock.IsUsed ? "(udp and tcp), stamps of the kernel" : "stamps: the system gives none", listener.Output, StringComparison.Ordinal);
        Assert.Contains(OperatingSystem.IsLinux() ? ": same" : ": bounded", _output.ToString(), StringComparison.Ordinal);
        listener.Signal(RunningTool.Terminate);
        Assert.Equal(143, listener.WaitForExit());
        Assert.Contains(" answers, 0 messages dropped", listener.Output, StringComparison.Ordinal);
    }

    [Fact]
    public void Probe_StampsOfTheKernel_SaysWhatWasUsed()
    {
        using ClockAnswerer answerer = ClockAnswerer.Listen(new IPEndPoint(IPAddress.Loopback, 0), System.Text.Encoding.ASCII.GetBytes(Key),
            () => Clock.NowNanos + (5_000 * Clock.NanosPerSecond));
        Assert.Equal(0, Run("clock", answerer.Local.ToString(), "--key-file", _folder.PathOf("key"), "--clock-stamps", "kernel"));
        string used = LinuxClock.IsUsed ? "kernel" : "the system gave none of the kernel";
        Assert.StartsWith($"Clock of {answerer.Local} by udp: bounded, stamps: {used}, peer user\n", _output.ToString(), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("clock 127.0.0.1:9", "--key-file is needed")]
    [InlineData("clock --key-file key", "name a peer as host:port, or --listen")]
    [InlineData("clock a:1 b:2 --key-file key", "name a peer as host:port, or --listen")]
    [InlineData("clock a:1 --listen 0 --key-file key", "cannot be given together")]
    [InlineData("clock nowhere --key-file key", "'nowhere' is not host:port")]
    [InlineData("clock --listen nowhere --key-file key", "'nowhere' is not")]
    [InlineData("clock a:1 --key-file key --clock-stamps card", "one of user, kernel")]
    [InlineData("clock a:1 --key-file key --clock-rate 19", "--clock-rate")]
    public void Run_BadCommandLine_IsRefused(string line, string reason)
    {
        Assert.Equal(2, Run([.. line.Split(' ').Select(word => word == "key" ? _folder.PathOf(word) : word)]));
        Assert.Contains(reason, _error.ToString(), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("14050", "127.0.0.1:14050")]
    [InlineData("0.0.0.0:14050", "0.0.0.0:14050")]
    [InlineData("[::1]:14050", "[::1]:14050")]
    [InlineData("70000", null)]
    [InlineData("[::1]", null)]
    [InlineData("host:1", null)]
    public void Listen_Text_IsAnAddressOrNone(string text, string? address) =>
        Assert.Equal(address, ClockVerbOptions.TryParseListen(text)?.ToString());

    public void Dispose()
    {
        _folder.Dispose();
        _output.Dispose();
        _error.Dispose();
    }

    private int Run(params string[] args) => Program.Run(args, _output, _error);
}
