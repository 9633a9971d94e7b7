using System.Security.Cryptography.X509Certificates;
using HubPerf;
using NIProvPerf;
using PerfTools.Hosting.CommandLine;
using PerfTools.Ranks;
using PerfTools.Results.Documents;
using PerfTools.Scenarios.Users;
using UsersPerf;
using Xunit;

namespace Tools.Tests.Users;

/// <summary><c>--args</c> of a ramp: what reaches hub, sources and users, and what belongs to the ramp.</summary>
[Trait("Category", "Fast")]
public sealed class RampArgumentsTests : IDisposable
{
    // The options that a ramp sets, and that its user may set otherwise.
    private static readonly string[] Open = ["-p", "-maxConnections", "-maxHandshakes", "-if", "-bindSession", "-bindSource", "-bindThread", "-tickRate", "-cert", "-keyfile", "-castore"];

    private readonly RunDirectory _folder = new();

    public static TheoryData<string> RoleNames => new(UsersOptions.Roles);

    public void Dispose() => _folder.Dispose();

    [Fact]
    public void Create_FurtherArguments_ComeLastAndTakePrecedence()
    {
        UsersOptions options = Accept("""--args hub="-maxQueue 100000 -maxConnections 7" --args source="-tickRate 20" --args users="-uname 'a b'" --args hub=--p=14009""");
        UsersArguments arguments = Create(options);
        string[] hub = arguments.OfHub(14_003), source = arguments.OfSource(Place, 1), users = arguments.OfUsers(Place, 1);
        Assert.Equal(["-maxQueue", "100000", "-maxConnections", "7", "--p=14009"], hub[^5..]);
        Assert.DoesNotContain("-p", hub);
        Assert.Single(hub, "-maxConnections");
        Assert.Equal(["-tickRate", "20"], source[^2..]);
        Assert.Single(source, "-tickRate");
        Assert.Equal(["-uname", "a b"], users[^2..]);
        HubPerfOptions read = HubPerfOptionTable.Instance.Parse(hub).Options!;
        Assert.Equal((100_000, 7, 14_009), (read.MaxQueueBytes, read.Connection.Server.MaxConnections, read.Connection.Server.Port));
        Assert.Equal(20, NIProvPerfOptionTable.Instance.Parse(source).Options!.Run.TickRate);
        Assert.Equal("a b", UsersPerfOptionTable.Instance.Parse(users).Options!.UserName);
        Assert.Equal("""{"hub":["-maxQueue","100000","-maxConnections","7","--p=14009"],"source":["-tickRate","20"],"users":["-uname","a b"]}""",
            UsersInputs.Of(Variant(options), options)["arguments"].GetRawText());
    }

    // Whatever a ramp sets is either refused among the arguments of the user, or one of those that may be given.
    [Theory]
    [InlineData("users-low", "")]
    [InlineData("users-low", "--external source=h:5 --until avg<5ms --bind auto --set usersThreads=2 --set sources=2 --set fields=3")]
    [InlineData("users-low", "--set connType=encrypted")]
    [InlineData("users-medium", "--set connType=websocket --set postRate=2 --set contributors=3")]
    public void Reserved_IsEveryOptionOfTheRampBesideThoseThatMayBeGiven(string load, string line)
    {
        UsersOptions options = Accept(line, load);
        UsersArguments arguments = Create(options, load);
        foreach ((string role, string[] words) in new[]
            { ("hub", arguments.OfHub(14_003)), ("source", arguments.OfSource(Place, 1)), ("users", arguments.OfUsers(Place, 1)) })
        {
            string[] names = [.. words.Where((_, i) => i % 2 == 0)];
            Assert.All(names, name => Assert.StartsWith("-", name, StringComparison.Ordinal));
            Assert.Empty(names.Except(UsersArguments.ReservedOf(role)).Except(Open));
            Assert.Empty(Open.Intersect(UsersArguments.ReservedOf(role)).Except(["-p"]));
        }
    }

    [Theory, MemberData(nameof(RoleNames))]
    public void Reserved_OfARole_HasEveryNameOfItsOptions(string role)
    {
        IReadOnlyList<string> reserved = UsersArguments.ReservedOf(role);
        (string Name, string[] All)[] rows = role switch
        {
            "hub" => [.. HubPerfOptionTable.Instance.Rows.Select(row => (row.Name, (string[])[row.Name, .. row.Synonyms]))],
            "source" => [.. NIProvPerfOptionTable.Instance.Rows.Select(row => (row.Name, (string[])[row.Name, .. row.Synonyms]))],
            _ => [.. UsersPerfOptionTable.Instance.Rows.Select(row => (row.Name, (string[])[row.Name, .. row.Synonyms]))],
        };
        Assert.Empty(rows.Where(row => row.All.Any(reserved.Contains)).SelectMany(row => row.All).Except(reserved));
        Assert.All(reserved, name =>
        {
            foreach (string given in new[] { name, "-" + name, name + "=1" })
            {
                Assert.Equal($"{name} belongs to the run and cannot be given to a role",
                    UsersOptions.CreateTable("users-low", [UsersLoad.Of("users-low")]).Parse(["--args", $"{role}={given}"]).Problem);
            }
        });
    }

    [Theory]
    [InlineData("--args user=-uname", "--args: user: unknown role; did you mean users?")]
    [InlineData("--args source-1=-uname", "--args: source-1: unknown role; did you mean source?")]
    [InlineData("--args users", "--args: 'users' is not role=\"arguments\" with every quote closed")]
    [InlineData("--external hub=h:1 --args hub=-maxQueue=100000", "--args: the hub is external and accepts no options from here")]
    public void Args_OfNoRoleHere_AreRefused(string line, string problem) =>
        Assert.Equal(problem, UsersOptions.CreateTable("users-low", [UsersLoad.Of("users-low")]).Parse([.. OptionLines.Words(line)]).Problem);

    // The hub's certificate, and what sources and users trust.
    [Theory]
    [InlineData("", "")]
    [InlineData("--set connType=websocket", "")]
    [InlineData("--set connType=encrypted", "-cert -keyfile; -castore; -castore")]
    [InlineData("--set connType=encrypted --args hub=\"-cert c.pem -keyfile k.pem\" --args users=-insecureSkipCertCheck", "-cert -keyfile; ; -insecureSkipCertCheck")]
    [InlineData("--set connType=encrypted --args users=-insecureSkipCertCheck", "-cert -keyfile; -castore; -insecureSkipCertCheck")]
    [InlineData("--set connType=encrypted --args source=\"-castore own.pem\"", "-cert -keyfile; -castore; -castore")]
    [InlineData("--set connType=encrypted --external hub=h:5", "; ; ")]
    public void Certificates_OfAnEncryptedRamp_AreThoseOfItsFolder(string line, string expected)
    {
        UsersArguments arguments = Create(Accept(line));
        string[][] all = [arguments.OfHub(14_003), arguments.OfSource(Place, 1), arguments.OfUsers(Place, 1)];
        string[] names = ["-cert", "-keyfile", "-castore", "-insecureSkipCertCheck"];
        Assert.Equal(expected is "" ? "; ; " : expected, string.Join("; ", all.Select(words => string.Join(' ', words.Where(names.Contains)))));
        Assert.All(all, words => Assert.Equal(line.Contains("encrypted", StringComparison.Ordinal), words.Contains("encrypted")));
        Assert.Equal(line.Contains("own.pem", StringComparison.Ordinal), all[1].Contains("own.pem"));
    }

    [Fact]
    public void Certificates_OfAHubOfAnotherRank_AreTrusted()
    {
        UsersOptions options = Accept("--set connType=encrypted");
        UsersVariant variant = Variant(options);
        UsersCertificates CreateOf(int rank, string name) =>
            new(variant, options, RampShare.Of(variant.Parameters, UsersPlace.Usual(2), rank), RunFolder.Open(_folder.File(name), "users", DateTime.UtcNow, []));
        UsersCertificates first = CreateOf(0, "first"), second = CreateOf(1, "second");
        Assert.Null(second.TryCreate("10.9.8.7"));
        Assert.Null(second.Authority);
        Assert.Null(first.TryCreate("10.9.8.7"));
        using X509Certificate2 server = X509Certificate2.CreateFromPem(File.ReadAllText(_folder.File("first/server.pem")));
        Assert.True(server.MatchesHostname("10.9.8.7"));
        Assert.True(server.MatchesHostname("127.0.0.1"));
        Assert.Null(second.TryTrust(null));
        Assert.False(File.Exists(_folder.File("second/ca.pem")));
        Assert.Null(second.TryTrust(first.Authority));
        Assert.Equal(first.Authority + "\n", File.ReadAllText(_folder.File("second/ca.pem")));
        Directory.Delete(_folder.File("first"), recursive: true);
        File.WriteAllText(_folder.File("first"), "in the place of the folder");
        Directory.Delete(_folder.File("second"), recursive: true);
        Assert.StartsWith($"{_folder.File("first")}/: cannot be written: ", first.TryCreate("h"), StringComparison.Ordinal);
        Assert.EndsWith(": cannot be written: no such folder", second.TryTrust("any"), StringComparison.Ordinal);
    }

    private static RolePlace Place => new("localhost", 14_002, 14_003);

    private static UsersOptions Accept(string line, string load = "users-low")
    {
        Assert.True(PerfTools.Processes.ArgumentText.TrySplit(line, out IReadOnlyList<string> words, out _));
        ParsedCommandLine<UsersOptions> parsed = UsersOptions.CreateTable(load, [UsersLoad.Of(load)]).Parse(words);
        Assert.Null(parsed.Problem);
        return parsed.Options!;
    }

    private static UsersVariant Variant(UsersOptions options, string load = "users-low") =>
        Assert.Single(UsersVariant.Plan(UsersLoad.Of(load), options, out _)).WithProcesses(isFull: false, machines: 1);

    private UsersArguments Create(UsersOptions options, string load = "users-low")
    {
        UsersVariant variant = Variant(options, load);
        RampShare share = RampShare.OfOneMachine(variant, options);
        return new(variant, options, share, RunFolder.Open(_folder.Path, "users", DateTime.UtcNow, []))
        {
            Processors = UsersBinding.Assign(variant, options, share, [0, 1, 2, 3, 4, 5, 6, 7]),
        };
    }
}
