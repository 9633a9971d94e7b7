using System.Security.Cryptography.X509Certificates;
using PerfCommon;
using PerfTools.Hosting.Options;
using PerfTools.Results.Documents;
using PerfTools.Scenarios;
using Xunit;

namespace Tools.Tests.PerfToolsTests;

/// <summary>The certificates of an encrypted run whose ranks share no folder.</summary>
[Trait("Category", "Fast")]
public sealed class RankCertificatesTests : IDisposable
{
    private static readonly ScenarioOptions Encrypted = new() { Connection = ConnectionKind.Encrypted };
    private readonly TestFolder _folder = new();

    private static IReadOnlyList<Role> Roles => ScenarioList.All.Single(scenario => scenario.Name == "direct").RolesOf(Encrypted);

    public void Dispose() => _folder.Dispose();

    [Fact]
    public void Create_RankWithTheProvider_IsValidForItsAddressAndSignedByItsAuthority()
    {
        RunFolder folder = Open("provider");
        RankCertificates certificates = new(folder);
        certificates.Create([Roles[0]], Encrypted, "10.9.8.7");
        using X509Certificate2 server = X509Certificate2.CreateFromPem(File.ReadAllText(folder.PathOf("server.pem")));
        Assert.True(server.MatchesHostname("10.9.8.7"));
        Assert.False(server.MatchesHostname("10.9.8.6"));
        Assert.Equal(certificates.Authority + "\n", File.ReadAllText(folder.PathOf("ca.pem")));
        Assert.True(IsTrusted(server, folder));
    }

    [Fact]
    public void Trust_AuthoritiesOfTwoRanks_TrustsTheServersOfBothAndOfNoOther()
    {
        (RunFolder own, RunFolder first, RunFolder second, RunFolder stranger) = (Open("own"), Open("first"), Open("second"), Open("stranger"));
        File.WriteAllText(own.PathOf("ca.pem"), "of an earlier run");
        RankCertificates certificates = new(own);
        certificates.Create([Roles[1]], Encrypted, "10.9.8.7"); // a consumer listens nowhere
        Assert.Null(certificates.Authority);
        certificates.Trust(null);
        Assert.Equal("of an earlier run", File.ReadAllText(own.PathOf("ca.pem")));
        foreach (RunFolder other in (RunFolder[])[first, second, first])
            certificates.Trust(Create(other));
        Create(stranger);
        Assert.Equal([true, true, false], ((RunFolder[])[first, second, stranger]).Select(other =>
        {
            using X509Certificate2 server = X509Certificate2.CreateFromPem(File.ReadAllText(other.PathOf("server.pem")));
            return IsTrusted(server, own);
        }));
        Assert.False(File.Exists(own.PathOf("server.key")));
    }

    [Fact]
    public void Trust_AuthorityInAFolderThatIsGone_IsSeven()
    {
        RunFolder folder = Open("gone");
        Directory.Delete(folder.FullPath, recursive: true);
        SetupException problem = Assert.Throws<SetupException>(() => new RankCertificates(folder).Trust("any"));
        Assert.Equal(SetupProblem.OutputFile, problem.Problem);
    }

    private readonly Dictionary<string, string> _authorities = [];

    // The authority of a rank, the same at each call.
    private string Create(RunFolder folder)
    {
        if (!_authorities.TryGetValue(folder.FullPath, out string? authority))
        {
            RankCertificates certificates = new(folder);
            certificates.Create([Roles[0]], Encrypted, "10.9.8.7");
            _authorities[folder.FullPath] = authority = certificates.Authority!;
        }

        return authority;
    }

    private static bool IsTrusted(X509Certificate2 server, RunFolder by)
    {
        using X509Chain chain = new() { ChainPolicy = { TrustMode = X509ChainTrustMode.CustomRootTrust, RevocationMode = X509RevocationMode.NoCheck } };
        chain.ChainPolicy.CustomTrustStore.ImportFromPem(File.ReadAllText(by.PathOf("ca.pem")));
        return chain.Build(server);
    }

    private RunFolder Open(string name) => RunFolder.Open(_folder.PathOf(name), "direct", DateTime.UtcNow, []);
}
