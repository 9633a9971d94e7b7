using ProvPerf;
using Xunit;

namespace Tools.Tests;

[Trait("Category", "Fast")]
public sealed class ProvPerfOptionsTests
{
    private static readonly ProvPerfOptionTable Table = ProvPerfOptionTable.Instance;

    [Theory]
    [InlineData("-p", "14002")]
    [InlineData("-c", "socket")]
    [InlineData("-maxOutputBufs", "0")]
    [InlineData("-genericMsgRate", "0")]
    [InlineData("-genericMsgLatencyRate", "0")]
    [InlineData("-openLimit", "1000000")]
    [InlineData("-serviceName", "DIRECT_FEED")]
    [InlineData("-latencyFile", null)]
    [InlineData("-statsFile", "ProvStats")]
    [InlineData("-summaryFile", "ProvSummary.out")]
    [InlineData("-maxHandshakes", "0")]
    [InlineData("-maxConnections", "1024")]
    [InlineData("-minPingTimeout", "20")]
    public void Defaults_AreTheGuides(string name, string? value) => Assert.Equal(value, OptionLines.Default(Table, name));

    [Theory]
    [InlineData("-p 0")]
    [InlineData("-updateRate 0 -latencyUpdateRate 10")]
    [InlineData("-updateRate 1000 -latencyUpdateRate 1000")]
    [InlineData("-latencyUpdateRate all")]
    [InlineData("-maxPackCount 30")]
    [InlineData("-updateSize 54,5 -latencyUpdateRate all")]
    [InlineData("-rotate 64MB,8 -maxFiles 131072")]
    [InlineData("-outputBufs 6 -maxOutputBufs 6")]
    [InlineData("-threads 2,3")]
    [InlineData("-updateRate 100 -latencyUpdateRate 10 -tickRate 100 -serviceName OTHER_FEED -serviceld 9")]
    [InlineData("-updateRate 100 -latencyUpdateRate 10 -tickRate 100 -openLimit 5")]
    [InlineData("-packBufSize 0")]
    [InlineData("-genericMsgRate 1000 -genericMsgLatencyRate all -latencyFile ProvLatency -rtt")]
    public void Parse_GoodLine_IsAccepted(string line) => OptionLines.Accept(Table, line);

    [Theory]
    [InlineData("-p -1", "-p must be 0 to 65535")]
    [InlineData("-connType http", "-connType: 'http'")]
    [InlineData("-updateSize 54,7", "-updateSize 54,7: no update of 7 fields has that size; the nearest is 62")]
    [InlineData("-updateSize 54 -msgFile own.xml", "-updateSize cannot be combined with -msgFile")]
    [InlineData("-updateSize 54 -genericMsgRate 1000", "-updateSize cannot be combined with -genericMsgRate")]
    [InlineData("-rotate 64", "-rotate: '64' is not a size of 1KB or more")]
    [InlineData("-outputBufs 5", "-outputBufs must be at least 6")]
    [InlineData("-maxOutputBufs 4999", "-maxOutputBufs must be 0 or at least -outputBufs")]
    [InlineData("-maxFragmentSize 65536", "-maxFragmentSize")]
    [InlineData("-updateRate 10 -tickRate 10 -latencyUpdateRate 11", "-latencyUpdateRate")]
    [InlineData("-genericMsgRate 999", "-genericMsgRate")]
    [InlineData("-genericMsgLatencyRate 1", "-genericMsgLatencyRate must not exceed -genericMsgRate")]
    [InlineData("-openLimit 0", "-openLimit")]
    [InlineData("-serviceId -1", "-serviceId")]
    [InlineData("-runTime 0", "-runTime")]
    [InlineData("-c encrypted", "-connType encrypted needs -cert and -keyfile")]
    [InlineData("-c encrypted -cert c.pem", "-connType encrypted needs -cert and -keyfile")]
    [InlineData("-maxConnections 0", "-maxConnections")]
    [InlineData("-minPingTimeout 61", "-minPingTimeout must not exceed -pingTimeout")]
    [InlineData("-proxy", "-proxy: unknown option")]
    public void Parse_BrokenRule_IsNamed(string line, string beginning) =>
        Assert.StartsWith(beginning, OptionLines.Refuse(Table, line), StringComparison.Ordinal);

    [Fact]
    public void DescribeInputs_Defaults_BeginAsInTheGuide() => Assert.StartsWith(
        """
        Steady State Time: 360 sec
        Port: 14002
        Connection type: Socket
        Thread Count: 1
        Output Buffers: 5000(effective = 5000)
        Max Output Buffers: 0(use default)(effective = 5000)
        Max Fragment Size: 6144
        Send Buffer Size: 0(use default)
        Recv Buffer Size: 0(use default)
        Send Timeout: 0(use default)
        Receive Timeout: 0(use default)
        Interface Name: (use default)
        Tcp_NoDelay: Yes
        Tick Rate: 1000
        Use Direct Writes: No
        High Water Mark: 0(use default)
        Latency File: (none)
        Summary File: ProvSummary.out
        Write Stats Interval: 5
        Stats File: ProvStats
        Display Stats: True
        Update Rate: 100000
        Latency Update Rate: 10
        Generic Msg Rate: 0
        Generic Msg Latency Rate: 0
        Refresh Burst Size: 10
        Data File: MsgData.xml
        Packing: No
        Service Name: DIRECT_FEED
        Service ID: 1
        OpenLimit: 1000000

        """,
        OptionLines.Block(Table, ""), StringComparison.Ordinal);

    [Fact]
    public void DescribeInputs_Packing_ShowsCountAndSize() =>
        Assert.Contains("Packing: Yes(max 30 per pack, 5000 buffer size)\n",
            OptionLines.Block(Table, "-maxPackCount 30 -packBufSize 5000"), StringComparison.Ordinal);
}
