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
    [InlineData(30_000, null, 28_232, "30000 users of one address need as many ports, the system has 28232: widen net.ipv4.ip_local_port_range, or share the users out with -part and -if")]
    public void FindProblem_NamesBothNumbers(int users, long? files, int? ports, string? problem) =>
        Assert.Equal(problem, UserLimits.FindProblem(users, files, ports));

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
