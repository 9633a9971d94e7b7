using System.Globalization;
using PerfTools.Hosting.CommandLine;

namespace PerfTools.Scenarios.Users;

/// <summary>Loads of users under one name of <c>perftools run</c>: each alone, and all of them.</summary>
internal sealed class UsersSuite
{
    private UsersSuite(string name, string summary, IReadOnlyList<UsersLoad> loads) =>
        (Name, Summary, Loads, Options) = (name, summary, loads, UsersOptions.CreateTable(name, loads));

    /// <summary>A suite for each load, then one for all of them.</summary>
    public static IReadOnlyList<UsersSuite> All { get; } =
    [
        .. UsersLoad.All.Select(load => new UsersSuite(load.Name, DescribeLoad(load), [load])),
        new("users", "The four loads above, one after the other", UsersLoad.All),
    ];

    /// <summary>The word after <c>perftools run</c>.</summary>
    public string Name { get; }

    /// <summary>Its description, in one line of the help.</summary>
    public string Summary { get; }

    /// <summary>All its options.</summary>
    public OptionTable<UsersOptions> Options { get; }

    /// <summary>The loads, in the order in which they are run.</summary>
    public IReadOnlyList<UsersLoad> Loads { get; }

    /// <summary>Describes a ramp of a load, in one line of the help.</summary>
    public static string DescribeLoad(UsersLoad load) => string.Create(CultureInfo.InvariantCulture,
        $"NIProvPerf, HubPerf and UsersPerf: {load.Base.UserRate:0.###} {(load.Base.UserRate == 1 ? "update" : "updates")} a second for each of thousands "
            + $"of users, step after step");
}
