using LatencyPerf;
using LatencyPerf.Options;
using PerfTools.Hosting.Options;
using PerfTools.Hosting.Reporting;
using Xunit;

namespace Tools.Tests.LatencyTests;

[Trait("Category", "Fast")]
public class LatencyPerfOptionsTests
{
    private static readonly LatencyPerfOptionTable Table = LatencyPerfOptionTable.Instance;

    [Theory]
    [InlineData("-domainId", "0")]
    [InlineData("-nic", null)]
    [InlineData("-noecho", "No")]
    [InlineData("-transport", "1")]
    [InlineData("-reliable", "No")]
    [InlineData("-mcast_rcv_addr", null)]
    [InlineData("-multicast_ttl", "1")]
    [InlineData("-numIter", "10000")]
    [InlineData("-minSize", "16")]
    [InlineData("-maxSize", "8192")]
    public void Defaults_AreTheGuides(string name, string? value) => Assert.Equal(value, OptionLines.Default(Table, name));

    [Fact]
    public void Parse_CookieAndSubscribersNotGiven_AreOne()
    {
        Assert.Equal(1, OptionLines.Accept(Table, "-subscribe").Cookie);
        Assert.Equal(1, OptionLines.Accept(Table, "-publish").Subscribers);
    }

    [Theory]
    [InlineData("-publish -domainId 88 -nic 127.0.0.1 -transport 2 -subscribers 1 -peer shmem:// -numIter 100000")]
    [InlineData("-subscribe -domainId 88 -nic 127.0.0.1 -transport 2 -cookie 1 -peer shmem:// -reliable")]
    [InlineData("-publish -domainId 88 -nic 127.0.0.1 -transport 1 -peer 127.0.0.2 -peer 127.0.0.3 -peer 127.0.0.4 -peer 127.0.0.5 -subscribers 4")]
    [InlineData("-subscribe -domainId 88 -nic 127.0.0.5 -transport 1 -peer 127.0.0.1 -mcast_rcv_addr 225.3.2.1 -multicast_ttl 1 -cookie 4")]
    [InlineData("--subscribe --noecho --transport udp6 --peer ::1")]
    public void Parse_GuidesForms_AreTaken(string line) => OptionLines.Accept(Table, line);

    [Theory]
    [InlineData("", "give one role: latencyperf -publish, or latencyperf -subscribe")]
    [InlineData("-publish -subscribe", "give one role: latencyperf -publish, or latencyperf -subscribe")]
    [InlineData("-publish -cookie 2", "-cookie is for -subscribe")]
    [InlineData("-publish -noecho", "-noecho is for -subscribe")]
    [InlineData("-subscribe -subscribers 2", "-subscribers is for -publish")]
    [InlineData("-subscribe -cookie 0", "-cookie must be 1 to 32")]
    [InlineData("-subscribe -cookie 33", "-cookie must be 1 to 32")]
    [InlineData("-publish -subscribers 33", "-subscribers must be 1 to 32")]
    [InlineData("-publish -domainId 233", "-domainId must be 0 to 232")]
    [InlineData("-publish -minSize 15", "-minSize must be 16 to 65000")]
    [InlineData("-publish -maxSize 65001", "-maxSize must be 16 to 65000")]
    [InlineData("-publish -minSize 64 -maxSize 32", "-minSize must not be above -maxSize")]
    [InlineData("-publish -numIter 0", "-numIter must be at least 1")]
    [InlineData("-publish -transport 3", "-transport: '3' is not one of 1, 2, 8, 16, 32")]
    [InlineData("-publish -multicast_ttl 256", "-multicast_ttl must be 0 to 255")]
    [InlineData("-publish -mcast_rcv_addr 225.1.2.3", "-mcast_rcv_addr needs -nic")]
    [InlineData("-publish -nic 127.0.0.1 -mcast_rcv_addr 10.0.0.1",
        "-mcast_rcv_addr: 10.0.0.1 is no group from 224.0.1.0 to 239.255.255.255, or of ff00::/8")]
    [InlineData("-publish -nic 127.0.0.1 -transport 2 -mcast_rcv_addr 225.1.2.3", "-mcast_rcv_addr needs -transport 1 or 8")]
    [InlineData("-publish -window 48", "-window must be a power of two from 2 to 1024")]
    [InlineData("-publish -oneWay -subscribers 2", "-oneWay with several subscribers needs -baseline")]
    [InlineData("-publish -spin 1001", "-spin must be 0 to 1000")]
    [InlineData("-subscribe -maxSize 64", "-maxSize is for -publish, which tells it")]
    [InlineData("-publish -window 128", "-window needs -reliable, and -transport 1, 2 or 8")]
    [InlineData("-publish -window 128 -reliable -transport tcp", "-window needs -reliable, and -transport 1, 2 or 8")]
    [InlineData("-publish -reliable -replyTimeout 5", "-replyTimeout is for tests without -reliable")]
    [InlineData("-publish -busyRead -spin 5", "give one of -busyRead, -spin")]
    [InlineData("-subscribe -replyTimeout 5", "-replyTimeout is for -publish")]
    [InlineData("-subscribe -window 2", "-window is for -publish, which tells it")]
    [InlineData("-subscribe -connType encrypted", "-connType encrypted needs -transport 16")]
    [InlineData("-publish -transport 16 -connType encrypted", "-connType encrypted needs -cert and -keyfile")]
    public void Parse_WrongLine_IsRefusedInOneSentence(string line, string problem) =>
        Assert.Equal(problem, OptionLines.Refuse(Table, line));

    [Fact]
    public void Parse_ThirtyThirdPeer_IsRefused()
    {
        string peers = string.Concat(Enumerable.Repeat("-peer 127.0.0.1 ", 32));
        Assert.Equal(32, OptionLines.Accept(Table, "-publish " + peers).Peers.Count);
        Assert.Equal("-peer: at most 32 of them", OptionLines.Refuse(Table, $"-publish {peers} -peer 127.0.0.1"));
    }

    [Theory]
    [InlineData("p99@64<80us", 64, "p99")]
    [InlineData("avg<1ms", null, "avg")]
    [InlineData("resent@16<1", 16, "resent")]
    [InlineData("lost<=0", null, "lost")]
    public void TryParse_ThresholdOfASize_HasBoth(string text, int? bytes, string metric)
    {
        Threshold threshold = Assert.Single(SizedThresholds.TryParse(text)!);
        Assert.Equal((bytes, metric, text), (threshold.Bytes, threshold.Metric, threshold.ToString()));
    }

    [Theory]
    [InlineData("p99@<80us")]
    [InlineData("p99@x<80us")]
    [InlineData("p98@64<80us")]
    [InlineData("p99<80@64us")]
    [InlineData("p99@64<80%")]
    public void TryParse_NoThreshold_IsNone(string text) => Assert.Null(SizedThresholds.TryParse(text));

    [Fact]
    public void Expand_OptionsFile_YieldsToTheCommandLine()
    {
        using RunDirectory folder = new();
        File.WriteAllText(folder.File("o"), "# a test\n-subscribe\n-cookie 3\n--noecho\n-peer 127.0.0.1\n-peer 127.0.0.2\n");
        LatencyPerfOptions options = Table.Parse(OptionsFile.Expand(["-optionsFile", folder.File("o"), "-cookie", "4"], Table)).Options!;
        Assert.Equal((4, true, 2), (options.Cookie, options.NoEcho, options.Peers.Count));
    }

    [Theory]
    [InlineData("-cookie\n", "(1): -cookie needs a value <n>")]
    [InlineData("\n-nonsense 3\n", "(2): -nonsense is no option for a file")]
    [InlineData("#\n\n-cookie x\n", "(3): -cookie: 'x' is not a whole number")]
    public void Run_WrongOptionsFile_NamesFileAndLine(string text, string problem)
    {
        using RunDirectory folder = new();
        File.WriteAllText(folder.File("o"), text);
        using StringWriter output = new(), error = new();
        Assert.Equal(3, Program.Run(["-optionsFile", folder.File("o")], output, error));
        Assert.Equal($"LatencyPerf: {folder.File("o")}{problem}\n", error.ToString());
    }

    [Theory]
    [InlineData("-nic 192.0.2.1", 4, "-nic 192.0.2.1 is not on this machine")]
    [InlineData("-peer shmem://", 2, "-peer: none of them fits UDPv4")]
    [InlineData("-peer ::1", 2, "-peer: none of them fits UDPv4")]
    [InlineData("-transport 8 -peer fe80::1", 2, "-peer fe80::1 is of one link alone: name its interface, as in fe80::1%eth0")]
    public void Run_PlaceThatIsNone_SaysSo(string more, int code, string problem)
    {
        using StringWriter output = new(), error = new();
        Assert.Equal(code, Program.Run(OptionLines.Words("-publish -domainId 231 " + more), output, error));
        Assert.StartsWith("LatencyPerf: " + problem, error.ToString(), StringComparison.Ordinal);
    }
}
