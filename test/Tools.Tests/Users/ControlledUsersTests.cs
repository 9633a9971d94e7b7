using System.Net.NetworkInformation;
using System.Text.Json;
using PerfCommon;
using PerfTools.Control;
using PerfTools.Hosting.Control;
using PerfTools.Processes;
using PerfTools.Results.Files;
using Tools.Tests.Runs;
using Xunit;

namespace Tools.Tests.Users;

/// <summary>A process with users whose number is set while it runs, and a provider that counts them.</summary>
public sealed class ControlledUsersTests
{
    private const string Lines = "users.json";
    private const int Subscriptions = 2;
    private static readonly TimeSpan Limit = TimeSpan.FromSeconds(180);

    [Fact]
    public async Task Users_SetWhileTheyRun_LogInAndOutAndNothingIsLost()
    {
        using RunFolder folder = new();
        RunningTool provider = folder.StartProvider("-updateSize 54 -updateRate 20 -tickRate 20 -latencyUpdateRate all -writeStatsInterval 1");
        RunningTool users = folder.Start("UsersPerf",
            $"-p {provider.Port} -users 50 -subjects 100 -subscriptions {Subscriptions} -loginRate 200 -control -writeStatsInterval 1 -jsonFile "
                + $"{Lines} -hlogFile u");
        ControlledRole role = RoleOf(users);
        await Until(() => AreIn(folder, 50));
        Set(role, "users=200");
        await Until(() => AreIn(folder, 200) && OpenConnections(provider) == 200);
        ExpectRefusals(role);
        Set(role, "loginRate=150");
        Assert.Equal(150, SettingOf(role, "loginRate").Count("value"));
        Set(role, "users=80");
        await Until(() => AreIn(folder, 80) && OpenConnections(provider) == 80);
        Set(role, "period=with-80:1");
        await Until(() => PeriodOf(folder, "with-80") is not null);
        Set(role, "end=now");

        users.ExpectExit(0);
        RunFolder.End(provider);
        ExpectCounts(folder);
        ExpectSamples(folder);
    }

    // In the same run: a separate test would start another process.
    private static void ExpectRefusals(ControlledRole role)
    {
        using ControlClient client = new();
        JsonView setting = SettingOf(role, "users");
        long max = setting.Count("max");
        Assert.Equal((0, 200), (setting.Count("min"), setting.Count("value")));
        Assert.InRange(max, 200, 1_000_000);
        foreach (string wrong in (string[])[$"{max + 1}", "many", "-1"])
        {
            SetupException refused = Assert.Throws<SetupException>(() => client.Request(role, [$"users={wrong}"]));
            Assert.StartsWith($"users-1: users: '{wrong}' is not a whole number from 0 to {max} (the ", refused.Message, StringComparison.Ordinal);
        }
    }

    private static void ExpectCounts(RunFolder folder)
    {
        JsonElement users = folder.Final(Lines), provider = folder.Final("prov.json");
        Assert.All((string[])["usersLost", "loginsRetried", "updatesMissing", "outOfOrder", "updatesRepeated"],
            name => Assert.Equal((name, 0), (name, new JsonView(users).Count("overall.counts." + name)))); // absent for none
        Assert.Equal(200 * Subscriptions, users.Count("refreshesReceived")); // once for each log-in: users that stay keep their images
        Assert.Equal(200 * Subscriptions, provider.Count("imagesSent"));
        Assert.Equal(provider.Count("updatesSent"), users.Count("updatesReceived"));
        Assert.True(users.IsComparable());
        Assert.Equal([(200, 50), (80, 200)], Read(folder).Where(line => line.Number("set.users") is not null)
            .Select(line => ((int)line.Count("set.users"), (int)line.Count("was.users"))));
    }

    private static void ExpectSamples(RunFolder folder)
    {
        JsonView period = PeriodOf(folder, "with-80")!.Value;
        Assert.Equal((80, 80), (period.Count("asked"), period.Count("in")));
        Assert.Equal([period.Count("count")], ResultLog.Read(folder.PathOf("u-periods.hlog")).Select(one => one.Histogram.TotalCount));
    }

    private static ControlledRole RoleOf(RunningTool users) =>
        new("users-1", HostAddress.TryParse(users.WaitForLine(ControlPoint.ControlLine)[ControlPoint.ControlLine.Length..])!, null);

    private static JsonView SettingOf(ControlledRole role, string name)
    {
        using ControlClient client = new();
        return new JsonView(client.Request(role, [])).Parts("settings").Single(one => one.Text("name") == name);
    }

    private static void Set(ControlledRole role, string value)
    {
        using ControlClient client = new();
        client.Request(role, [value]);
    }

    private static IEnumerable<JsonView> Read(RunFolder folder) => new JsonLinesReader(folder.PathOf(Lines)).ReadNew().Select(line => new JsonView(line));

    private static bool AreIn(RunFolder folder, int users) => Read(folder).LastOrDefault(line => line.Part("overall.gauges").Exists) is var last
        && last.Number("overall.gauges.usersIn") == users && last.Number("overall.gauges.usersAsked") == users;

    private static JsonView? PeriodOf(RunFolder folder, string name) =>
        Read(folder).Where(line => line.Text("period") == name).Select(line => (JsonView?)line).FirstOrDefault();

    // Those of the provider's end: a program has lines for some of thousands only.
    private static int OpenConnections(RunningTool provider) => IPGlobalProperties.GetIPGlobalProperties().GetActiveTcpConnections()
        .Count(one => one.LocalEndPoint.Port == provider.Port && one.State == TcpState.Established);

    private static async Task Until(Func<bool> isReached)
    {
        DateTime limit = DateTime.UtcNow + Limit;
        while (!isReached())
        {
            Assert.True(DateTime.UtcNow < limit, "not reached in time");
            await Task.Delay(100, TestContext.Current.CancellationToken);
        }
    }
}
