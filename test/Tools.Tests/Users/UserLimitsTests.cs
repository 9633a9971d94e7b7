using System.Net;
using System.Net.Sockets;
using HubPerf;
using PerfCommon;
using PerfCommon.MsgData;
using PerfCommon.Transport;
using PerfTools.Hosting.Running;
using UsersPerf;
using Xunit;

namespace Tools.Tests.Users;

public class UserLimitsTests
{
    [Theory]
    [InlineData(1000, 1192L, 1000, null)]
    [InlineData(1000, null, null, null)]
    [InlineData(1000, 1191L, null,
        "1000 users need 1192 files, the system allows 1191: raise ulimit -n (LimitNOFILE of a service), or share the users out with -part")]
    [InlineData(30_000, null, 28_232,
        "30000 users of one address need as many ports, the system has 28232: widen net.ipv4.ip_local_port_range, or give -if several addresses")]
    public void FindProblem_NamesBothNumbers(int users, long? files, int? ports, string? problem) =>
        Assert.Equal(problem, UserLimits.FindProblem(users, files, ports));

    [Theory]
    [InlineData(56_464, 2, null)]
    [InlineData(56_465, 2,
        "28233 users of one address need as many ports, the system has 28232: widen net.ipv4.ip_local_port_range, or give -if several addresses")]
    public void FindProblem_OfSeveralAddresses_CountsThoseOfOne(int users, int addresses, string? problem) =>
        Assert.Equal(problem, UserLimits.FindProblem(users, null, 28_232, addresses));

    [Theory]
    [InlineData(1192L, 1_000, 1, 1_000, "the open files that the system allows")]
    [InlineData(1192L, 999, 1, 999, "the local ports of the system")]
    [InlineData(null, 28_232, 2, 56_464, "the local ports of the system")]
    [InlineData(100L, null, 1, 0, "the open files that the system allows")]
    [InlineData(null, null, 1, 1_000_000, "the maximum of a run")]
    public void FindMax_OfFilesAndPorts_IsTheLower(long? files, int? ports, int addresses, int users, string reason) =>
        Assert.Equal((users, reason), UserLimits.FindMax(files, ports, addresses));

    /// <summary>Users of all parts have different numbers: a thousand parts may have a million each, ten thousand a tenth of that.</summary>
    [Theory]
    [InlineData(1_000, null, 1_000_000, "the maximum of a run")]
    [InlineData(10_000, null, 100_000, "the maximum of a run")]
    [InlineData(10_000, 99_999, 99_999, "the local ports of the system")]
    public void FindMax_OfManyParts_IsASmallerNumber(int parts, int? ports, int users, string reason) =>
        Assert.Equal((users, reason), UserLimits.FindMax(null, ports, addresses: 1, parts));

    [Fact]
    public void ConnectOf_SeveralAddresses_TakesThemInTurn()
    {
        UsersPerfOptions options = OptionLines.Accept(UsersPerfOptionTable.Instance, "-if 127.0.0.1,localhost -part 2/3");
        UserPlan plan = new(options, ItemList.Create([]), options.Connection.ForClients("UsersPerf"));
        // the users of part 2
        Assert.Equal(["127.0.0.1", "localhost", "127.0.0.1"],
            Enumerable.Range(0, 3).Select(own => plan.ConnectOf((3 * own) + 1).InterfaceName));
        Assert.Null(OptionLines.Accept(UsersPerfOptionTable.Instance, "").Connection.ForClients("UsersPerf")[0].InterfaceName);
    }

    [Fact]
    public void Socket_OfAnAddress_HasNoPortBeforeItConnects()
    {
        Assert.SkipUnless(OperatingSystem.IsLinux(), "needs IP_BIND_ADDRESS_NO_PORT");
        using Socket socket = NetworkAddresses.CreateClientSocket(IPAddress.Loopback,
            new ConnectOptions { Host = "localhost", Port = 1, InterfaceName = "127.0.0.2" }, blocks: true);
        Assert.Equal(new IPEndPoint(IPAddress.Parse("127.0.0.2"), 0), socket.LocalEndPoint);
    }

    [Fact]
    public void Apply_TooFewFilesForTheHub_LowersTheUsualNumberOnly()
    {
        HubPerfOptions usual = OptionLines.Accept(HubPerfOptionTable.Instance, ""),
        asked = OptionLines.Accept(HubPerfOptionTable.Instance, "-maxConnections 5000");
        Assert.Equal((20_000, 5_000), (Apply(usual, 20_256), Apply(asked, 5_256)));
        Assert.Equal(20_000, Apply(usual, null));
        Assert.Equal(3_840, Apply(usual, 4_096));
        Assert.Equal(
            "-maxConnections 5000 needs 5256 files, the system allows 5255: raise ulimit -n (LimitNOFILE of a service)",
            Assert.Throws<SetupException>(() => Apply(asked, 5_255)).Message);

        static int Apply(HubPerfOptions options, long? maxFiles) => HubLimits.Apply(options, maxFiles).Connection.Server.MaxConnections;
    }

    [Fact]
    public void Demand_MoreThanTheSystemAllows_DoesNotStart()
    {
        SystemLimits.Demand(131_072, 131_072);
        SystemLimits.Demand(131_072, null);
        SystemLimits.Demand(null, 10);
        SetupException refused = Assert.Throws<SetupException>(() => SystemLimits.Demand(131_072, 131_071));
        Assert.Equal((SetupProblem.NotStarted, "-maxFiles 131072: the system allows 131071: raise ulimit -n (LimitNOFILE of a service)"),
            (refused.Problem, refused.Message));
    }

    [Fact]
    public void Limits_OfTheSystem_AreRead()
    {
        Assert.Equal(524_288,
            SystemLimits.ReadMaxFiles(
                "Limit Soft Hard Units\nMax open files            20000                524288               files     \n"));
        Assert.Null(SystemLimits.ReadMaxFiles("Max open files            unlimited            unlimited            files     \n"));
        Assert.Null(SystemLimits.ReadMaxFiles(""));
        Assert.Equal(28_232, SystemLimits.ReadLocalPorts("32768\t60999\n"));
        Assert.Null(SystemLimits.ReadLocalPorts("none"));
    }
}
