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
