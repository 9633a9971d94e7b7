using NIProvPerf;
using PerfTools.Hosting.CommandLine;
using ProvPerf;
using Xunit;

namespace Tools.Tests;

/// <summary>The options that both senders of updates have in common.</summary>
[Trait("Category", "Fast")]
public sealed class SenderOptionsTests
{
    private static readonly Sender[] Senders = [Sender.Of(ProvPerfOptionTable.Instance), Sender.Of(NIProvPerfOptionTable.Instance)];

    [Theory]
    [InlineData("-connType", "socket")]
    [InlineData("-cert", null)]
    [InlineData("-keyfile", null)]
    [InlineData("-key", null)]
    [InlineData("-spTLSv1.2", "No")]
    [InlineData("-spTLSv1.3", "No")]
    [InlineData("-if", null)]
    [InlineData("-outputBufs", "5000")]
    [InlineData("-maxFragmentSize", "6144")]
    [InlineData("-sendBufSize", "0")]
    [InlineData("-recvBufSize", "0")]
    [InlineData("-sendTimeout", "0")]
    [InlineData("-recvTimeout", "0")]
    [InlineData("-tcpDelay", "No")]
    [InlineData("-highWaterMark", "0")]
    [InlineData("-directWrite", "No")]
    [InlineData("-tickRate", "1000")]
    [InlineData("-updateRate", "100000")]
    [InlineData("-latencyUpdateRate", "10")]
    [InlineData("-maxPackCount", "1")]
    [InlineData("-packBufSize", "6000")]
    [InlineData("-refreshBurstSize", "10")]
    [InlineData("-serviceId", "1")]
    [InlineData("-msgFile", "MsgData.xml")]
    [InlineData("-runTime", "360")]
    [InlineData("-threads", "1")]
    [InlineData("-reactor", "No")]
    [InlineData("-writeStatsInterval", "5")]
    [InlineData("-noDisplayStats", "No")]
    public void Defaults_OfBoth_AreTheGuides(string name, string? value) =>
        Assert.All(Senders, sender => Assert.Equal(value, sender.Default(name)));

    [Theory]
    [InlineData("-maxFragmentSize 19", "-maxFragmentSize")]
    [InlineData("-tickRate 0", "-tickRate")]
    [InlineData("-updateRate 999", "-updateRate")]
    [InlineData("-updateRate -1", "-updateRate")]
    [InlineData("-latencyUpdateRate 1001", "-latencyUpdateRate must not exceed -tickRate")]
    [InlineData("-latencyUpdateRate -1", "-latencyUpdateRate")]
    [InlineData("-maxPackCount 0", "-maxPackCount")]
    [InlineData("-maxPackCount 2 -packBufSize 0", "-packBufSize")]
    [InlineData("-refreshBurstSize 0", "-refreshBurstSize")]
    [InlineData("-serviceId 65536", "-serviceId")]
    [InlineData("-threads 9", "-threads")]
    [InlineData("-writeStatsInterval 0", "-writeStatsInterval")]
    [InlineData("-preEnc -latencyUpdateRate all", "-preEnc cannot be combined")]
    [InlineData("-measureEncode -latencyUpdateRate 0", "-measureEncode needs")]
    public void Parse_BrokenRule_IsNamedByBoth(string line, string beginning) =>
        Assert.All(Senders, sender => Assert.StartsWith(beginning, sender.Refuse(line), StringComparison.Ordinal));

    [Theory]
    [InlineData("-measureDecode", "-measureDecode")]
    public void Parse_NotBuiltYet_IsRefusedByBoth(string line, string option) =>
        Assert.All(Senders, sender => Assert.Equal($"{option}: not available in this version", sender.Refuse(line)));

    [Fact]
    public void CreateHelp_EveryOptionThatWorks_IsListedByBoth() => Assert.All(
        Senders, sender =>
            Assert.All(sender.Rows, row => Assert.Equal(row.Works, sender.Help.Contains($"\n  {row.Name}", StringComparison.Ordinal))));

    private sealed record Sender(
        Func<string, string?> Default, Func<string, string> Refuse, string Help, IReadOnlyList<(string Name, bool Works)> Rows)
    {
        public static Sender Of<T>(OptionTable<T> table)
            where T : class => new(
                name => OptionLines.Default(table, name), line => OptionLines.Refuse(table, line), table.CreateHelp(columns: null),
                [.. table.Rows.Select(row => (row.Name, !row.IsNotYet))]);
    }
}
