using PerfTools.Hosting.Options;
using PerfTools.Results;
using PerfTools.Scenarios;
using Xunit;

namespace Tools.Tests.PerfToolsTests;

/// <summary>What the roles are told, also checked by the roles' own tables.</summary>
public sealed class ScenarioArgumentsTests : IDisposable
{
    private readonly TestFolder _folder = new();
    private readonly RunFolder _directory;

    public ScenarioArgumentsTests() => _directory = RunFolder.Open(_folder.PathOf("r"), "direct", DateTime.UtcNow, []);

    [Fact]
    public void Direct_Defaults_TellBothRolesEverything()
    {
        DirectScenario direct = new();
        string files = _directory.FullPath + "/";
        Assert.Equal(
            $"-p 0 -updateRate 100000 -latencyUpdateRate 1000 -maxPackCount 1 -runTime 110 -writeStatsInterval 1 "
                + $"-statsFile {files}ProvStats -summaryFile {files}ProvSummary.out -jsonFile {files}ProvPerf.jsonl",
            string.Join(' ', direct.CreateServerArguments(new(), _directory, 110)));
        Assert.Equal(
            $"-h localhost -p 4711 -itemCount 10000 -steadyStateTime 10 -writeStatsInterval 1 "
                + $"-statsFile {files}ConsStats -summaryFile {files}ConsSummary.out -jsonFile {files}ConsPerf.jsonl",
            string.Join(' ', direct.CreateClientArguments(new(), _directory, 4711)));
    }

    [Fact]
    public void Direct_LowRate_LowersTheTickRateWithIt()
    {
        IReadOnlyList<string> arguments = new DirectScenario().CreateServerArguments(new() { Rate = 50 }, _directory, 1);
        Assert.Contains("-updateRate 50 -latencyUpdateRate 50 -tickRate 50", string.Join(' ', arguments), StringComparison.Ordinal);
    }

    [Fact]
    public void Direct_Encrypted_NamesTheFilesThatItMakes()
    {
        ScenarioOptions options = new() { Connection = ConnectionKind.Encrypted };
        TrialCertificateFiles.WriteIfNeeded(options, _directory);
        foreach (string name in (string[])["ca.pem", "server.pem", "server.key"])
            Assert.True(File.Exists(_directory.PathOf(name)), name);
        DirectScenario direct = new();
        Assert.Contains("-connType encrypted -cert", string.Join(' ', direct.CreateServerArguments(options, _directory, 1)), StringComparison.Ordinal);
        Assert.Contains("-castore", direct.CreateClientArguments(options, _directory, 1));
    }

    [Fact]
    public void Direct_OwnCertificate_IsLeftToTheUser()
    {
        ScenarioOptions options = new() { Connection = ConnectionKind.Encrypted, ServerArguments = ["-cert", "mine.pem", "-key", "mine.key"] };
        TrialCertificateFiles.WriteIfNeeded(options, _directory);
        Assert.False(File.Exists(_directory.PathOf("ca.pem")));
        Assert.DoesNotContain("-keyfile", new DirectScenario().CreateServerArguments(options, _directory, 1));
        Assert.DoesNotContain("-castore", new DirectScenario().CreateClientArguments(options, _directory, 1));
    }

    [Theory]
    [InlineData(false, "-appType server -p 0 -runTime 9 -msgRate 5000 -latencyMsgRate 1000 -msgSize 76 -pack 3", "-appType client -h localhost -p 1 -runTime 10 -msgRate 0 -latencyMsgRate 0 -msgSize 76")]
    [InlineData(true, "-appType server -p 0 -runTime 9 -reflectMsgs", "-appType client -h localhost -p 1 -runTime 10 -msgRate 5000 -latencyMsgRate 1000 -msgSize 76")]
    public void Transport_OneSideSends(bool reflects, string server, string client)
    {
        TransportScenario transport = new(reflects);
        ScenarioOptions options = new() { Rate = 5000, Pack = 3 };
        Assert.StartsWith(server, string.Join(' ', transport.CreateServerArguments(options, _directory, 9)), StringComparison.Ordinal);
        Assert.StartsWith(client, string.Join(' ', transport.CreateClientArguments(options, _directory, 1)), StringComparison.Ordinal);
    }

    [Fact]
    public void AllScenarios_Defaults_AreAcceptedByTheRolesThemselves()
    {
        Assert.Null(global::ProvPerf.ProvPerfOptionTable.Instance.Parse(new DirectScenario().CreateServerArguments(new(), _directory, 110)).Problem);
        Assert.Null(global::ConsPerf.ConsPerfOptionTable.Instance.Parse(new DirectScenario().CreateClientArguments(new(), _directory, 4711)).Problem);
        foreach (TransportScenario transport in (TransportScenario[])[new(reflects: false), new(reflects: true)])
        {
            Assert.Null(global::TransportPerf.TransportPerfOptionTable.Instance.Parse(transport.CreateServerArguments(new(), _directory, 110)).Problem);
            Assert.Null(global::TransportPerf.TransportPerfOptionTable.Instance.Parse(transport.CreateClientArguments(new(), _directory, 4711)).Problem);
        }
    }

    public void Dispose() => _folder.Dispose();
}
