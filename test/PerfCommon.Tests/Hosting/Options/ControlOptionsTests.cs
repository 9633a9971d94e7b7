using PerfTools.Hosting.Control;
using PerfTools.Hosting.Options;
using Xunit;

namespace PerfCommon.Tests.Hosting.Options;

public class ControlOptionsTests
{
    private static readonly ControlOptions Open = new() { TakesChanges = true, ControlHost = "0.0.0.0" };

    [Fact]
    public void FindProblem_Contradictions_AreNamed()
    {
        Assert.Null(new ControlOptions().FindProblem());
        Assert.Null(new ControlOptions { MetricsPort = 9_400, MetricsHost = "localhost" }.FindProblem());
        Assert.Null((Open with { MetricsPort = 0, MetricsHost = "0.0.0.0" }).FindProblem());
        Assert.Equal("-metricsHost needs -metricsPort", new ControlOptions { MetricsHost = "10.0.0.1" }.FindProblem());
        Assert.Equal("-controlHost needs -control", new ControlOptions { MetricsPort = 0, ControlHost = "10.0.0.1" }.FindProblem());
        Assert.Equal("-metricsHost must be an IPv4 address or localhost",
            new ControlOptions { MetricsPort = 0, MetricsHost = "::1" }.FindProblem());
        Assert.Equal("-controlHost must be an IPv4 address or localhost", (Open with { ControlHost = "7" }).FindProblem());
        Assert.Equal(
            "-metricsHost and -controlHost must be the same: they share a listener",
            (Open with { MetricsPort = 0, MetricsHost = "10.0.0.1" }).FindProblem());
    }

    [Theory]
    [InlineData(null, null, "127.0.0.1", true)]
    [InlineData("localhost", null, "localhost", true)]
    [InlineData("10.0.0.1", null, "10.0.0.1", false)]
    [InlineData(null, "127.0.0.2", "127.0.0.2", true)]
    [InlineData("0.0.0.0", "0.0.0.0", "0.0.0.0", false)]
    public void Host_OfEitherOption_IsWhereItListens(string? metrics, string? control, string host, bool isLocal)
    {
        ControlOptions options = new() { MetricsPort = 9_400, MetricsHost = metrics, TakesChanges = true, ControlHost = control };
        Assert.Equal((host, 9_400, isLocal, true), (options.Host, options.Port, options.IsLocal, options.Listens));
        Assert.Equal((0, true), (new ControlOptions { TakesChanges = true }.Port, new ControlOptions { TakesChanges = true }.Listens));
        Assert.False(new ControlOptions { MetricsHost = metrics }.Listens);
    }

    [Fact]
    public void Access_BeyondThisHostWithoutAToken_IsNoStart()
    {
        Assert.Equal(
            "-controlHost 0.0.0.0 needs a token: -controlToken @file or PERFTOOLS_CONTROL_TOKEN",
            Assert.Throws<SetupException>(() => ControlAccess.Of(Open)).Message);
        Assert.NotNull(ControlAccess.Of(new() { TakesChanges = true }));
    }

    [Fact]
    public void Access_TokenFile_IsReadAndMustNotBeEmpty()
    {
        string path = Path.GetTempFileName();
        ControlOptions options = Open with { Token = Open.Token.WithText("@" + path) };
        Assert.Contains("empty", Assert.Throws<SetupException>(() => ControlAccess.Of(options)).Message, StringComparison.Ordinal);
        File.WriteAllText(path, "abc\n");
        Assert.Null(ControlAccess.Of(options).Refuse(new("GET", "/control") { Authorization = "Bearer abc" }));
        File.Delete(path);
        Assert.Equal(SetupProblem.InputFile, Assert.Throws<SetupException>(() => ControlAccess.Of(options)).Problem);
    }
}
