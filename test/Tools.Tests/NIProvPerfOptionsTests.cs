using NIProvPerf;
using Xunit;

namespace Tools.Tests;

[Trait("Category", "Fast")]
public sealed class NIProvPerfOptionsTests
{
    private static readonly NIProvPerfOptionTable Table = NIProvPerfOptionTable.Instance;

    [Theory]
    [InlineData("-h", "localhost")]
    [InlineData("-p", "14003")]
    [InlineData("-encryptedConnectionType", "socket")]
    [InlineData("-itemFile", "350k.xml")]
    [InlineData("-itemCount", "100000")]
    [InlineData("-commonItemCount", "0")]
    [InlineData("-serviceName", "NI_PUB")]
    [InlineData("-useServiceId", "No")]
    [InlineData("-uname", null)]
    [InlineData("-statsFile", "NIProvStats")]
    [InlineData("-summaryFile", "NIProvSummary.out")]
    public void Defaults_AreTheGuides(string name, string? value) => Assert.Equal(value, OptionLines.Default(Table, name));

    [Theory]
    [InlineData("-h hub -p 14003 -serviceName TEST_FEED")]
    [InlineData("-updateRate 0 -latencyUpdateRate 0")]
    [InlineData("-latencyUpdateRate all -stamp due")]
    [InlineData("-maxPackCount 30")]
    [InlineData("-outputBufs 1")]
    [InlineData("-threads 2,3 -itemCount 2")]
    [InlineData("-threads 4 -itemCount 100 -commonItemCount 25")]
    [InlineData("-useServiceId -serviceld 9")]
    [InlineData("-runTime 0 -part 2/4 -threads 2 -itemCount 8 -updateSize 54")]
    [InlineData("-updateSize 216,5 -nanoTime")]
    [InlineData("-connType encrypted -castore ca.pem -cert c.pem -key k.pem")]
    [InlineData("-connType websocket -compressionType lz4 -proxy -ph host -pp 3128")]
    [InlineData("-assert sendLagP99<1ms,rate>=99%,notSent<1,lost<1,cpu<50%,memory<1000MB")]
    public void Parse_GoodLine_IsAccepted(string line) => OptionLines.Accept(Table, line);

    [Theory]
    [InlineData("-p 0", "-p must be 1 to 65535")]
    [InlineData("-connType reliableMCast", "-connType: 'reliableMCast'")]
    [InlineData("-outputBufs 0", "-outputBufs must be at least 1")]
    [InlineData("-updateRate 0", "-latencyUpdateRate must not exceed -updateRate")]
    [InlineData("-itemCount 0", "-itemCount")]
    [InlineData("-itemCount 1 -threads 2", "-itemCount must be at least the number of threads")]
    [InlineData("-itemCount 100 -threads 4 -commonItemCount 26", "-commonItemCount")]
    [InlineData("-runTime -1", "-runTime must be 0 or more")]
    [InlineData("-part 0/3", "-part: '0/3' is not a part such as 2/3")]
    [InlineData("-part 3", "-part: '3' is not a part such as 2/3")]
    [InlineData("-part 1/3 -threads 2 -itemCount 5", "-itemCount must be at least the number of threads of all parts")]
    [InlineData("-updateSize 33", "-updateSize 33,3: an update has 34 to 6000 bytes")]
    [InlineData("-updateSize 6001", "-updateSize 6001,58: an update has 34 to 6000 bytes")]
    [InlineData("-updateSize 54,2", "-updateSize 54,2: an update has 3 to 58 fields")]
    [InlineData("-updateSize 54,7", "-updateSize 54,7: no update of 7 fields has that size; the nearest is 62")]
    [InlineData("-updateSize large", "-updateSize: 'large' is not a number of bytes")]
    [InlineData("-updateSize 54 -msgFile own.xml", "-updateSize cannot be combined with -msgFile")]
    [InlineData("-updateSize 54 -preEnc", "-updateSize cannot be combined with -preEnc")]
    [InlineData("-proxy", "-proxy needs -ph")]
    [InlineData("-websocket tr_json2", "-websocket tr_json2: not available in this version")]
    [InlineData("-assert p99<1ms", "-assert: 'p99<1ms' is not")]
    [InlineData("-openLimit 5", "-openLimit: unknown option")]
    [InlineData("-sa 1.2.3.4", "-sa: multicast")]
    public void Parse_BrokenRule_IsNamed(string line, string beginning) =>
        Assert.StartsWith(beginning, OptionLines.Refuse(Table, line), StringComparison.Ordinal);

    [Fact]
    public void DescribeInputs_Defaults_AreTheGuides() => Assert.Equal(
        """
        Run Time: 360 sec
        Connection Type: socket
        Hostname: localhost
        Port: 14003
        Thread List: 1
        Output Buffers: 5000
        Max Fragment Size: 6144
        Send Buffer Size: 0(use default)
        Recv Buffer Size: 0(use default)
        High Water Mark: 0(use default)
        Interface Name: (use default)
        Username: (use system login name)
        Tcp_NoDelay: Yes
        Item Count: 100000
        Common Item Count: 0
        Tick Rate: 1000
        Use Direct Writes: No
        Summary File: NIProvSummary.out
        Stats File: NIProvStats
        Write Stats Interval: 5
        Display Stats: True
        Update Rate: 100000
        Latency Update Rate: 10
        Refresh Burst Size: 10
        Item File: 350k.xml
        Data File: MsgData.xml
        Packing: No
        Service ID: 1
        Service Name: NI_PUB

        """,
        OptionLines.Block(Table, ""));

    [Theory]
    [InlineData("-serviceId 7", 1, "Service ID: 1\n", 1)]
    [InlineData("-serviceId 7 -useServiceId", 7, "Service ID: 7\n", 0)]
    public void ServiceId_CountsWithUseServiceIdOnly(string line, int id, string shown, int notes)
    {
        NIProvPerfOptions options = OptionLines.Accept(Table, line);
        Assert.Equal((id, notes), (options.ServiceId, options.FindNotes().Count()));
        Assert.Contains(shown, OptionLines.Block(Table, line), StringComparison.Ordinal);
    }
}
