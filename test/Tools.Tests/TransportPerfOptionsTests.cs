using TransportPerf;
using Xunit;

namespace Tools.Tests;

[Trait("Category", "Fast")]
public sealed class TransportPerfOptionsTests
{
    private static readonly TransportPerfOptionTable Table = TransportPerfOptionTable.Instance;

    [Theory]
    [InlineData("-appType", "server")]
    [InlineData("-connType", "socket")]
    [InlineData("-h", "localhost")]
    [InlineData("-p", "14002")]
    [InlineData("-if", null)]
    [InlineData("-threads", "1")]
    [InlineData("-msgRate", "100000")]
    [InlineData("-latencyMsgRate", "10")]
    [InlineData("-msgSize", "76")]
    [InlineData("-tickRate", "1000")]
    [InlineData("-pack", "1")]
    [InlineData("-reflectMsgs", "No")]
    [InlineData("-busyRead", "No")]
    [InlineData("-compressionType", "none")]
    [InlineData("-compressionLevel", "5")]
    [InlineData("-maxFragmentSize", "6144")]
    [InlineData("-outputBufs", "5000")]
    [InlineData("-sendBufSize", "0")]
    [InlineData("-recvBufSize", "0")]
    [InlineData("-highWaterMark", "0")]
    [InlineData("-directWrite", "No")]
    [InlineData("-tcpDelay", "No")]
    [InlineData("-proxy", "No")]
    [InlineData("-ph", null)]
    [InlineData("-pp", null)]
    [InlineData("-plogin", null)]
    [InlineData("-ppasswd", null)]
    [InlineData("-runTime", "300")]
    [InlineData("-latencyFile", null)]
    [InlineData("-writeStatsInterval", "5")]
    [InlineData("-noDisplayStats", "No")]
    [InlineData("-jsonBody", "raw")]
    [InlineData("-connections", "0")]
    public void Defaults_AreTheGuides(string name, string? value) => Assert.Equal(value, OptionLines.Default(Table, name));

    [Theory]
    [InlineData("-tickRate 1 -msgRate 1 -latencyMsgRate 1 -runTime 999", 1)] // p99 needs 1,000 samples
    [InlineData("-tickRate 1 -msgRate 1 -latencyMsgRate 1 -runTime 1000", 0)]
    [InlineData("-tickRate 1 -msgRate 1 -latencyMsgRate 1 -runTime 999 -reflectMsgs", 0)]
    [InlineData("-tickRate 1 -msgRate 1 -latencyMsgRate 1 -runTime 999 -appType client -connections 2", 0)]
    [InlineData("-tickRate 1 -msgRate 1 -latencyMsgRate 1 -runTime 499 -appType client -connections 2", 1)]
    public void FindNotes_TooFewSamplesOfItsOwnMessages_AreTold(string line, int notes) =>
        Assert.Equal(notes, OptionLines.Accept(Table, line).FindNotes().Count());

    [Theory]
    [InlineData("-p 15000 -runTime 900 -connType socket -msgRate 100000 -latencyMsgRate 1000 -tickRate 1000 -appType server")]
    [InlineData("-p 15000 -connType socket -runTime 60 -latencyMsgRate 0 -msgRate 0 -tickRate 1000 -appType client")]
    [InlineData("-p 15000 -runTime 900 -connType socket -tickRate 1000 -appType server -reflectMsgs")]
    [InlineData("-h host -p 15000 -connType socket -runTime 60 -tickRate 1000 -appType client -msgRate 100000 -latencyMsgRate 1000")]
    [InlineData("-msgSize 16 -outputBufs 1")]
    [InlineData("-pack 50")]
    [InlineData("-msgSize 120 -pack 48")] // 6,144 bytes: the whole fragment
    [InlineData("-appType client -pack 500")]
    [InlineData("-latencyMsgRate all")]
    [InlineData("-summaryFileStatic s -statsFileStatic t")]
    [InlineData("-reflectMsgs -msgRate 0")]
    [InlineData("-rateProfile 0:3,1000-2000:10")]
    [InlineData("-appType client -connections 300 -threads 2")]
    public void Parse_GoodLine_IsAccepted(string line) => OptionLines.Accept(Table, line);

    [Theory]
    [InlineData("-outputBufs 0", "-outputBufs must be at least 1")]
    [InlineData("-connections 5", "-connections needs -appType client")]
    [InlineData("-appType client -connections 2 -threads 3", "-connections must be 0 or at least -threads")]
    [InlineData("-appType client -connections 10001", "-connections must be 0 to 10000")]
    [InlineData("-appType both", "-appType: 'both' is not one of server, client")]
    [InlineData("-appType client -p 0", "-p must be 1 to 65535")]
    [InlineData("-threads 9", "-threads")]
    [InlineData("-msgRate 999", "-msgRate")]
    [InlineData("-msgRate -1", "-msgRate")]
    [InlineData("-latencyMsgRate 1001", "-latencyMsgRate must not exceed -tickRate")]
    [InlineData("-latencyMsgRate -1", "-latencyMsgRate")]
    [InlineData("-msgRate 0", "-latencyMsgRate must not exceed -msgRate")]
    [InlineData("-msgSize 15", "-msgSize must be at least 16")]
    [InlineData("-msgSize 16777217", "-msgSize must not exceed -maxMessageSize")]
    [InlineData("-tickRate 0", "-tickRate")]
    [InlineData("-pack 0", "-pack")]
    [InlineData("-rateProfile 5000:10 -reflectMsgs", "-rateProfile cannot be combined with -reflectMsgs")]
    [InlineData("-rateProfile 5000:10,900:5", "-rateProfile must name rates that are 0 or at least -tickRate")]
    [InlineData("-rateProfile 1000:10 -tickRate 500 -latencyMsgRate 501", "-latencyMsgRate must not exceed -tickRate")]
    [InlineData("-pack 2 -reflectMsgs", "-pack cannot be combined with -reflectMsgs")]
    [InlineData("-pack 74", "-pack: 74 messages of 76 bytes need -maxFragmentSize 6216")]
    [InlineData("-compressionLevel 10", "-compressionLevel")]
    [InlineData("-compressionLevel -1", "-compressionLevel")]
    [InlineData("-outputBufs -1", "-outputBufs")]
    [InlineData("-sendBufSize -1", "-sendBufSize")]
    [InlineData("-recvBufSize -1", "-recvBufSize")]
    [InlineData("-writeStatsInterval 0", "-writeStatsInterval")]
    [InlineData("-runTime 0", "-runTime")]
    [InlineData("-appType client -proxy -ph p", "-proxy needs -pp")]
    [InlineData("-proxy -ph p -pp 80", "-proxy needs -appType client")]
    [InlineData("-connType encrypted", "-connType encrypted needs -cert and -keyfile")]
    [InlineData("-connType shmem", "-connType: 'shmem'")]
    [InlineData("-websocket tr_json2 -msgSize 19", "-msgSize must be at least 20 with a JSON sub-protocol")]
    [InlineData("-websocket tr_json2 -jsonBody object -msgSize 63", "-msgSize must be at least 64 with -jsonBody object")]
    [InlineData("-jsonBody object", "-jsonBody object needs a JSON sub-protocol")]
    [InlineData("-mcastStats", "-mcastStats: multicast")]
    [InlineData("-pdomain x", "-pdomain: not available")]
    [InlineData("-krbfile x", "-krbfile: not available")]
    public void Parse_BrokenRule_IsNamed(string line, string beginning) =>
        Assert.StartsWith(beginning, OptionLines.Refuse(Table, line), StringComparison.Ordinal);

    [Fact]
    public void DescribeInputs_Defaults_BeginAsInTheGuide() => Assert.StartsWith(
        $"""
        Runtime: 300 sec
        Connection Type: socket
        Hostname: localhost
        Port: 14002
        App Type: server
        Thread Count: 1
        Busy Read: No
        Msg Size: 76
        Msg Rate: 100000
        Latency Msg Rate: 10
        Output Buffers: 5000
        Max Fragment Size: 6144
        Send Buffer Size: 0(use default)
        Recv Buffer Size: 0(use default)
        High Water Mark: 0(use default)
        Compression Type: none(0)
        Compression Level: 5
        Interface Name: (use default)
        Tcp_NoDelay: Yes
        Tick Rate: 1000
        Use Direct Writes: No
        Latency Log File: (none)
        Summary File: TransportSummary_{Environment.ProcessId}.out
        Stats File: TransportStats
        Write Stats Interval: 5
        Display Stats: Yes
        Packing: No

        """,
        OptionLines.Block(Table, ""), StringComparison.Ordinal);

    [Fact]
    public void DescribeInputs_Reflecting_HidesTheRates()
    {
        string block = OptionLines.Block(Table, "-reflectMsgs");
        Assert.Contains("Msg Rate: 0(reflecting)\nLatency Msg Rate: 0(reflecting)\n", block, StringComparison.Ordinal);
    }

    [Fact]
    public void CreateHelp_EveryOptionThatWorks_IsListed() =>
        Assert.All(Table.Rows,
            row => Assert.Equal(!row.IsNotYet, Table.CreateHelp(columns: null).Contains($"\n  {row.Name}", StringComparison.Ordinal)));
}
