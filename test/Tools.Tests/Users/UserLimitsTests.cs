using HubPerf;
using PerfCommon;
using PerfTools.Hosting.Running;
using UsersPerf;
using Xunit;

namespace Tools.Tests.Users;

public class UserLimitsTests
{
    [Theory]
    [InlineData(1000, 1064L, 1000, null)]
    [InlineData(1000, null, null, null)]
    [InlineData(1000, 1063L, null, "1000 users need 1064 files, the system allows 1063: raise ulimit -n (LimitNOFILE of a service), or share the users out with -part")]
    [InlineData(30_000, null, 28_232, "30000 users of one address need as many ports, the system has 28232: widen net.ipv4.ip_local_port_range, or give -if several addresses")]
    public void FindProblem_NamesBothNumbers(int users, long? files, int? ports, string? problem) =>
        Assert.Equal(problem, UserLimits.FindProblem(users, files, ports));

    [Theory]
    [InlineData(56_464, 2, null)]
    [InlineData(56_465, 2, "28233 users of one address need as many ports, the system has 28232: widen net.ipv4.ip_local_port_range, or give -if several addresses")]
    public void FindProblem_OfSeveralAddresses_CountsThoseOfOne(int users, int addresses, string? problem) =>
        Assert.Equal(problem, UserLimits.FindProblem(users, null, 28_232, addresses));

    [Fact]
    public void Apply_TooFewFilesForTheHub_LowersTheUsualNumberOnly()
    {
        HubPerfOptions usual = OptionLines.Accept(HubPerfOptionTable.Instance, ""), asked = OptionLines.Accept(HubPerfOptionTable.Instance, "-maxConnections 5000");
        Assert.Equal((20_000, 5_000), (Apply(usual, 20_064), Apply(asked, 5_064)));
        Assert.Equal(20_000, Apply(usual, null));
        Assert.Equal(4_032, Apply(usual, 4_096));
        Assert.Equal(
            "-maxConnections 5000 needs 5064 files, the system allows 5063: raise ulimit -n (LimitNOFILE of a service)", Assert.Throws<SetupException>(() => Apply(asked, 5_063)).Message);

        static int Apply(HubPerfOptions options, long? maxFiles) => HubLimits.Apply(options, maxFiles).Connection.Server.MaxConnections;
    }

    [Fact]
    public void Demand_MoreThanTheSystemAllows_DoesNotStart()
    {
        SystemLimits.Demand(131_072, 131_072);
        SystemLimits.Demand(131_072, null);
        SystemLimits.Demand(null, 10);
        SetupException refused = Assert.Throws<SetupException>(() => SystemLimits.Demand(131_072, 131_071));
        Assert.Equal((SetupProblem.NotStarted, "-maxFiles 131072: the system allows 131071: raise ulimit -n (LimitNOFILE of a service)"), (refused.Problem, refused.Message));
    }

    [Fact]
    public void Limits_OfTheSystem_AreRead()
    {
        Assert.Equal(524_288, SystemLimits.ReadMaxFiles("Limit Soft Hard Units\nMax open files            20000                524288               files     \n"));
        Assert.Null(SystemLimits.ReadMaxFiles("Max open files            unlimited            unlimited            files     \n"));
        Assert.Null(SystemLimits.ReadMaxFiles(""));
        Assert.Equal(28_232, SystemLimits.ReadLocalPorts("32768\t60999\n"));
        Assert.Null(SystemLimits.ReadLocalPorts("none"));
    }
}
