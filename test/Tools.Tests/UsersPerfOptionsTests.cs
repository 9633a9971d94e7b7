using UsersPerf;
using Xunit;

namespace Tools.Tests;

[Trait("Category", "Fast")]
public sealed class UsersPerfOptionsTests
{
    private static readonly UsersPerfOptionTable Table = UsersPerfOptionTable.Instance;

    [Theory]
    [InlineData("-h", "localhost")]
    [InlineData("-p", "14002")]
    [InlineData("-users", "100")]
    [InlineData("-steps", null)]
    [InlineData("-warmup", "10")]
    [InlineData("-settle", "10")]
    [InlineData("-period", "30")]
    [InlineData("-startAt", null)]
    [InlineData("-runTime", "0")]
    [InlineData("-loginRate", "500")]
    [InlineData("-subscriptions", "2")]
    [InlineData("-subjects", "1000")]
    [InlineData("-itemFile", "350k.xml")]
    [InlineData("-pattern", "spread")]
    [InlineData("-part", "1/1")]
    [InlineData("-measure", "on")]
    [InlineData("-decode", "stamp")]
    [InlineData("-reconnect", "off")]
    [InlineData("-until", null)]
    [InlineData("-serviceName", "DIRECT_FEED")]
    [InlineData("-statsFile", "UsersStats")]
    [InlineData("-summaryFile", "UsersSummary.out")]
    [InlineData("-postRate", "0")]
    [InlineData("-contributors", null)]
    [InlineData("-maxMessageSize", "1048576")]
    [InlineData("-reassemblyLimit", "1048576")]
    public void Defaults_AreThoseOfTheDescription(string name, string? value) => Assert.Equal(value, OptionLines.Default(Table, name));

    [Theory]
    [InlineData("-users 1000000")]
    [InlineData("-subjectRate 0")]
    [InlineData("-steps 250..5500/250,7500..100000/2500 -part 2/10 -loginRate 1000")]
    [InlineData("-steps 100,200 -until avg<100ms,rate>99%,lost<1 -subjectRate 0.5")]
    [InlineData("-startAt 2026-11-22T10:00:00Z -measure check -decode all -reconnect on -pattern same")]
    [InlineData("-startAt 2026-11-22T10:00:00.250Z -nanoTime -threads 8")]
    [InlineData("-connType encrypted -castore ca.pem")]
    [InlineData("-view 22,-5,30")]
    public void Parse_GoodLine_IsAccepted(string line) => OptionLines.Accept(Table, line);

    [Theory]
    [InlineData("-users 0", "-users must be 1 to 1000000")]
    [InlineData("-period 0", "-period must be 1 to 1000000")]
    [InlineData("-steps 500,250", "-steps: '500,250' is not a rising list")]
    [InlineData("-subscriptions 11 -subjects 10", "-subscriptions must not exceed -subjects")]
    [InlineData("-startAt tomorrow", "-startAt: 'tomorrow' is not a UTC time")]
    [InlineData("-until avg<1ms", "-until needs -steps")]
    [InlineData("-steps 10 -until rate>99%", "-until rate in percent needs -subjectRate")]
    [InlineData("-steps 10 -until images>1", "-until: 'images>1' is not a list")]
    [InlineData("-users 100001 -part 1/10000", "-users times the parts of -part must not exceed 1000000000")]
    [InlineData("-users 300000 -part 7/10000", "-users times the parts of -part must not exceed 1000000000")]
    [InlineData("-steps 2,4 -part 1/3", "-steps must begin with as many users as there are parts")]
    [InlineData("-subjectRate -1", "-subjectRate: '-1' is not a number")]
    [InlineData("-view 22,BID", "-view: '22,BID' is not a list of field ids")]
    [InlineData("-view 22,0", "-view: '22,0' is not a list of field ids")]
    [InlineData("-loginRate 0", "-loginRate must be 1 to 1000000")]
    public void Parse_BadLine_NamesTheFlag(string line, string problem) =>
        Assert.StartsWith(problem, OptionLines.Refuse(Table, line), StringComparison.Ordinal);
}
