using ConsPerf;
using Xunit;

namespace Tools.Tests;

[Trait("Category", "Fast")]
public sealed class ConsPerfOptionsTests
{
    private static readonly ConsPerfOptionTable Table = ConsPerfOptionTable.Instance;

    [Theory]
    [InlineData("-steadyStateTime", "300")]
    [InlineData("-delaySteadyStateCalc", "0")]
    [InlineData("-tickRate", "1000")]
    [InlineData("-threads", "1")]
    [InlineData("-itemFile", "350k.xml")]
    [InlineData("-msgFile", "MsgData.xml")]
    [InlineData("-itemCount", "100000")]
    [InlineData("-commonItemCount", "0")]
    [InlineData("-requestRate", "500000")]
    [InlineData("-snapshot", "No")]
    [InlineData("-postingRate", "0")]
    [InlineData("-postingLatencyRate", "0")]
    [InlineData("-genericMsgRate", "0")]
    [InlineData("-genericMsgLatencyRate", "0")]
    [InlineData("-serviceName", "DIRECT_FEED")]
    [InlineData("-uname", null)]
    [InlineData("-h", "localhost")]
    [InlineData("-p", "14002")]
    [InlineData("-if", null)]
    [InlineData("-connType", "socket")]
    [InlineData("-spTLSv1.2", "No")]
    [InlineData("-spTLSv1.3", "No")]
    [InlineData("-outputBufs", "5000")]
    [InlineData("-maxOutputBuffer", "50")]
    [InlineData("-maxOutputBufs", "50")]
    [InlineData("-inputBufs", "15")]
    [InlineData("-sendBufSize", "0")]
    [InlineData("-recvBufSize", "0")]
    [InlineData("-sendTimeout", "0")]
    [InlineData("-recvTimeout", "0")]
    [InlineData("-highWaterMark", "0")]
    [InlineData("-tcpDelay", "No")]
    [InlineData("-busyRead", "No")]
    [InlineData("-reactor", "No")]
    [InlineData("-watchlist", "No")]
    [InlineData("-latencyFile", null)]
    [InlineData("-statsFile", "ConsStats")]
    [InlineData("-summaryFile", "ConsSummary.out")]
    [InlineData("-writeStatsInterval", "5")]
    [InlineData("-noDisplayStats", "No")]
    [InlineData("-compressionType", "none")]
    [InlineData("-compressionLevel", "5")]
    [InlineData("-pingTimeout", "60")]
    [InlineData("-handshakeTimeout", "10")]
    [InlineData("-maxMessageSize", "16777216")]
    [InlineData("-reassemblyLimit", "67108864")]
    public void Defaults_AreTheGuides(string name, string? value) => Assert.Equal(value, OptionLines.Default(Table, name));

    [Theory]
    [InlineData("-uname", 255, null)]
    [InlineData("-uname", 256, "-uname must not exceed 255 bytes")]
    [InlineData("-serviceName", 255, null)]
    [InlineData("-serviceName", 256, "-serviceName must not exceed 255 bytes")]
    public void Parse_NameOfManyBytes_IsRefusedAboveTheLimit(string option, int bytes, string? problem)
    {
        string name = new string('x', bytes - 2) + "\u00e9"; // a letter of two bytes
        Assert.Equal(problem, Table.Parse([option, name]).Problem);
    }

    [Theory]
    [InlineData(0, 0, false)]
    [InlineData(1, 0, true)]
    [InlineData(0, 1, true)]
    public void SendsToItems_LeastRateOfEitherKind_IsTrue(int posts, int generics, bool sends) =>
        Assert.Equal(sends, new ConsPerfOptions { PostingRate = posts, GenericMsgRate = generics }.SendsToItems);

    [Theory]
    [InlineData("-steadyStateTime 0")]
    [InlineData("-steadyStateTime 1 -delaySteadyStateCalc 1999")]
    [InlineData("-tickRate 100 -requestRate 100")]
    [InlineData("-itemCount 10 -commonItemCount 5 -threads 2")]
    [InlineData("-snapshot")]
    [InlineData("-postingRate 0 -genericMsgRate 0")]
    [InlineData("-postingRate 1000 -postingLatencyRate 1000 -genericMsgRate 5000 -genericMsgLatencyRate 10 -stamp due")]
    [InlineData("-rtt")]
    [InlineData("-threads 1,3")]
    [InlineData("-threads -1")]
    [InlineData("-threads 8")]
    [InlineData("-bindThread 1")]
    [InlineData("-maxOutputBuffer 5000")]
    [InlineData("-strictFields -downcastDecoding -useServiceId")]
    [InlineData("-prime -measureDecode -nanoTime")]
    [InlineData("-part 3/3 -threads 2 -itemCount 6 -commonItemCount 1")]
    [InlineData("-castore ca.pem -insecureSkipCertCheck")]
    [InlineData("-fieldDict d -enumDict e -jsonFile j")]
    [InlineData("-itemCount 3 -steadyStateTime 4 -uname perfuser -tickRate 100")]
    [InlineData("-itemCount 11 -commonItemCount 3 -threads 2 -steadyStateTime 3 -uname perfuser -tickRate 100")]
    public void Parse_GoodLine_IsAccepted(string line) => OptionLines.Accept(Table, line);

    [Theory]
    [InlineData("-steadyStateTime -1", "-steadyStateTime")]
    [InlineData("-delaySteadyStateCalc 30001", "-delaySteadyStateCalc")]
    [InlineData("-delaySteadyStateCalc -1", "-delaySteadyStateCalc")]
    [InlineData("-steadyStateTime 1 -delaySteadyStateCalc 2000", "-delaySteadyStateCalc must not exceed -steadyStateTime")]
    [InlineData("-tickRate 0", "-tickRate")]
    [InlineData("-threads 9", "-threads")]
    [InlineData("-threads 2 -bindThread 1", "-bindThread")]
    [InlineData("-bindThread -2", "-bindThread")]
    [InlineData("-itemCount 0", "-itemCount")]
    [InlineData("-commonItemCount -1", "-commonItemCount")]
    [InlineData("-itemCount 10 -commonItemCount 11", "-commonItemCount must not exceed -itemCount")]
    [InlineData("-itemCount 10 -commonItemCount 6 -threads 2", "-commonItemCount must not exceed -itemCount divided by the threads")]
    [InlineData("-itemCount 5 -part 1/3 -threads 2", "-itemCount must be at least the number of threads of all parts")]
    [InlineData("-itemCount 12 -part 1/3 -threads 2 -commonItemCount 3",
        "-commonItemCount must not exceed -itemCount divided by the threads of all parts")]
    [InlineData("-part 4/3", "-part: '4/3' is not a part such as 2/3")]
    [InlineData("-requestRate 999", "-requestRate")]
    [InlineData("-postingRate 999", "-postingRate")]
    [InlineData("-postingRate -1", "-postingRate")]
    [InlineData("-postingLatencyRate 1", "-postingLatencyRate must not exceed -postingRate")]
    [InlineData("-postingRate 5000 -postingLatencyRate 1001", "-postingLatencyRate must not exceed -tickRate")]
    [InlineData("-postingRate 5000 -postingLatencyRate all", "-postingLatencyRate")]
    [InlineData("-genericMsgRate 999", "-genericMsgRate")]
    [InlineData("-genericMsgLatencyRate 1", "-genericMsgLatencyRate must not exceed -genericMsgRate")]
    [InlineData("-genericMsgRate 5000 -genericMsgLatencyRate 1001", "-genericMsgLatencyRate must not exceed -tickRate")]
    [InlineData("-genericMsgRate 5000 -genericMsgLatencyRate all", "-genericMsgLatencyRate: 'all' is not")]
    [InlineData("-snapshot -postingRate 1000", "-snapshot")]
    [InlineData("-snapshot -genericMsgRate 1000", "-snapshot")]
    [InlineData("-p 0", "-p must be 1 to 65535")]
    [InlineData("-p 65536", "-p must be 1 to 65535")]
    [InlineData("-connType reliableMCast", "-connType: 'reliableMCast' is not one of socket, encrypted, websocket")]
    [InlineData("-spTLSv1.2", "-spTLSv1.2 needs -connType encrypted")]
    [InlineData("-spTLSv1.3", "-spTLSv1.3 needs -connType encrypted")]
    [InlineData("-cert c.pem", "-cert needs -keyfile")]
    [InlineData("-key k.pem", "-keyfile needs -cert")]
    [InlineData("-outputBufs 0", "-outputBufs")]
    [InlineData("-maxOutputBuffer 4999", "-maxOutputBuffer must be at least -outputBufs")]
    [InlineData("-inputBufs 0", "-inputBufs")]
    [InlineData("-sendBufSize -1", "-sendBufSize")]
    [InlineData("-recvBufSize -1", "-recvBufSize")]
    [InlineData("-sendTimeout -1", "-sendTimeout")]
    [InlineData("-recvTimeout -1", "-recvTimeout")]
    [InlineData("-highWaterMark -1", "-highWaterMark")]
    [InlineData("-compressionLevel 10", "-compressionLevel")]
    [InlineData("-compressionType gzip", "-compressionType: 'gzip' is not one of none, zlib, lz4")]
    [InlineData("-writeStatsInterval 0", "-writeStatsInterval")]
    [InlineData("-pingTimeout 0", "-pingTimeout")]
    [InlineData("-pingTimeout 256", "-pingTimeout")]
    [InlineData("-handshakeTimeout 0", "-handshakeTimeout")]
    [InlineData("-maxMessageSize 0", "-maxMessageSize")]
    [InlineData("-reassemblyLimit 0", "-reassemblyLimit")]
    [InlineData("-proxy", "-proxy needs -ph")]
    [InlineData("-proxy -ph proxy", "-proxy needs -pp")]
    [InlineData("-proxy -ph proxy -pp none", "-pp: 'none' is not a whole number")]
    [InlineData("-websocket soap", "-websocket: 'soap' is not one of")]
    [InlineData("-pl rssl.rwf", "-pl needs -connType websocket")]
    [InlineData("-websocket tr_json2", "-websocket tr_json2: not available in this version")]
    [InlineData("-consumerName C", "a section of the EMA configuration needs -emaConfig")]
    [InlineData("-useUserDispatch", "-useUserDispatch needs -reactor")]
    [InlineData("-standbyHostName h", "warm standby needs -watchlist")]
    [InlineData("-tunnel", "-tunnel: tunnel streams")]
    [InlineData("-maxConnections 5", "-maxConnections: unknown option")]
    [InlineData("-itemcount 5", "-itemcount: unknown option; did you mean -itemCount?")]
    public void Parse_BrokenRule_IsNamed(string line, string beginning) =>
        Assert.StartsWith(beginning, OptionLines.Refuse(Table, line), StringComparison.Ordinal);

    [Fact]
    public void Parse_Threads_BecomeAPlan() => Assert.Equal([1, 3], OptionLines.Accept(Table, "-threads 1,3").Run.Threads.Processors);

    [Fact]
    public void Parse_BindThread_BecomesAPlan() => Assert.Equal([1], OptionLines.Accept(Table, "-bindThread 1").Run.Threads.Processors);

    [Fact]
    public void FindNotes_DowncastDecoding_SaysNoEffect() =>
        Assert.Equal(["-downcastDecoding: no effect here"], OptionLines.Accept(Table, "-downcastDecoding").FindNotes());

    [Theory]
    [InlineData("-downcastDecoding", "Downcast Decoding: Yes(no effect)")]
    [InlineData("-useServiceId", "Use Service ID: Yes(no effect)")]
    [InlineData("-primeJVM", "Prime: Yes")]
    [InlineData("-measureDecode true", "Measure Decode: Yes")]
    public void DescribeInputs_OptionOfAnotherEdition_SaysWhatItDoes(string line, string inBlock) =>
        Assert.EndsWith($"\n{inBlock}\n", OptionLines.Block(Table, line), StringComparison.Ordinal);

    [Fact]
    public void CreateHelp_OptionsWithoutEffect_SaySo()
    {
        string[] lines =
            [.. Table.CreateHelp(columns: null).Split('\n').Where(line => line.Contains("no effect:", StringComparison.Ordinal))];
        Assert.Equal(["-useServiceId", "-downcastDecoding"], lines.Select(line => line.Trim().Split(' ')[0]));
    }

    [Fact]
    public void CreateHelp_EveryOptionThatWorks_IsListed() =>
        Assert.All(Table.Rows,
            row => Assert.Equal(!row.IsNotYet, Table.CreateHelp(columns: null).Contains($"\n  {row.Name}", StringComparison.Ordinal)));

    [Fact]
    public void DescribeInputs_Defaults_AreTheGuidesRowsAlone() => Assert.Equal(
        """
        Steady State Time: 300
        Delay Steady State Time: 0
        Connection Type: Socket
        Hostname: localhost
        Port: 14002
        Service: DIRECT_FEED
        Thread Count: 1
        Output Buffers: 5000
        Input Buffers: 15
        Send Buffer Size: 0(use default)
        Recv Buffer Size: 0(use default)
        Send Timeout: 0(use default)
        Receive Timeout: 0(use default)
        High Water Mark: 0(use default)
        Interface Name: (use default)
        Tcp_NoDelay: Yes
        Username: (use system login name)
        Item Count: 100000
        Common Item Count: 0
        Request Rate: 500000
        Request Snapshots: No
        Posting Rate: 0
        Latency Posting Rate: 0
        Generic Msg Rate: 0
        Generic Msg Latency Rate: 0
        Item File: 350k.xml
        Data File: MsgData.xml
        Summary File: ConsSummary.out
        Stats File: ConsStats
        Latency Log File: (none)
        Tick Rate: 1000
        Busy Read: No

        """,
        OptionLines.Block(Table, ""));

    [Fact]
    public void DescribeInputs_OwnOptionGiven_FollowsTheGuides() => Assert.EndsWith(
        "Busy Read: No\nJSON File: c.json\nPing Timeout: 30 sec\n",
        OptionLines.Block(Table, "-pingTimeout 30 -jsonFile c.json"), StringComparison.Ordinal);

    [Fact]
    public void CreateHelp_Terminal_FitsItAndHasItsGroups()
    {
        string[] lines = Table.CreateHelp(columns: 80).Split('\n');
        Assert.All(lines, line => Assert.InRange(line.Length, 0, 79));
        Assert.Equal(["Common:", "Connection:", "Rates:", "Files:", "Advanced:"],
            lines.Where(line => line.EndsWith(':') && line[0] != ' '));
    }

    [Fact]
    public void DescribeInputs_Given_ShowUnits()
    {
        string block = OptionLines.Block(Table, "-sendBufSize 65536 -recvTimeout 250 -tcpDelay -threads 0,-1 -uname me -if lo");
        Assert.Contains("Send Buffer Size: 65536 bytes\n", block, StringComparison.Ordinal);
        Assert.Contains("Receive Timeout: 250 ms\n", block, StringComparison.Ordinal);
        Assert.Contains("Tcp_NoDelay: No\n", block, StringComparison.Ordinal);
        Assert.Contains("Thread Count: 2 (CPU 0,-1)\n", block, StringComparison.Ordinal);
        Assert.Contains("Username: me\nItem Count", block, StringComparison.Ordinal);
    }

    [Fact]
    public void Texts_Passwords_NeverAppear()
    {
        ConsPerfOptions options = OptionLines.Accept(Table, "-keypasswd sesame -ppasswd sesame");
        Assert.DoesNotContain("sesame", options.ToString(), StringComparison.Ordinal);
        Assert.DoesNotContain("sesame", OptionLines.Block(Table, "-keypasswd sesame -ppasswd sesame"), StringComparison.Ordinal);
    }

    [Fact]
    public void EveryOption_IsShownInTheBlock()
    {
        string[] spokenFor = ["-spTLSv1.3", "-pl", "-proxy", "-ppasswd"];
        Assert.All(Table.Rows, row => Assert.True(row.Label is not null || spokenFor.Contains(row.Name), row.Name));
    }
}
