using System.Globalization;
using PerfCommon;
using PerfTools.Hosting.Control;
using PerfTools.Hosting.Options;
using PerfTools.Hosting.Running;

namespace UsersPerf;

/// <summary>Checks the system's limits for one process: each user needs a file descriptor and a port.</summary>
internal static class UserLimits
{
    /// <summary>The maximum of users of all parts together: each has a number.</summary>
    public const int MaxOfAllParts = 1_000_000_000;

    /// <param name="users">Users of this process.</param>
    /// <param name="addresses">Addresses from which they connect, in turn.</param>
    /// <exception cref="SetupException">A limit is too low for that number of users.</exception>
    public static void Check(int users, int addresses)
    {
        if (FindProblem(users, SystemLimits.MaxFiles, SystemLimits.LocalPorts, addresses) is { } problem)
            throw new SetupException(SetupProblem.NotStarted, problem);
    }

    /// <summary>The maximum of users that a running process may be set to, and what limits it: the end of a sentence.</summary>
    /// <param name="addresses">Addresses from which they connect, in turn.</param>
    /// <param name="parts">Number of parts, each of which may have as many.</param>
    public static (int Users, string Reason) FindMax(int addresses, int parts) =>
        FindMax(SystemLimits.MaxFiles, SystemLimits.LocalPorts, addresses, parts);

    /// <summary>The same for known limits; one that is null is not known.</summary>
    internal static (int Users, string Reason) FindMax(long? maxFiles, int? localPorts, int addresses, int parts = 1)
    {
        int most = Math.Min(StepList.MaxUsers, MaxOfAllParts / parts);
        long byFiles = maxFiles - SystemLimits.OtherFiles - ControlListener.ConnectionsOf(maxFiles) ?? most;
        long byPorts = (long?)localPorts * addresses ?? most;
        if (Math.Min(byFiles, byPorts) >= most)
            return (most, "the maximum of a run");
        return byFiles <= byPorts ? ((int)Math.Max(0, byFiles), "the open files that the system allows")
            : ((int)byPorts, "the local ports of the system");
    }

    /// <summary>Finds the limit that is too low; null when none is. A limit that is null is not known.</summary>
    internal static string? FindProblem(int users, long? maxFiles, int? localPorts, int addresses = 1)
    {
        int others = SystemLimits.OtherFiles + ControlListener.ConnectionsOf(maxFiles);
        if (users + others > maxFiles)
        {
            return Invariant($"{users} users need {users + others} files, the system allows {maxFiles}: ")
                + "raise ulimit -n (LimitNOFILE of a service), or share the users out with -part";
        }

        int perAddress = (users + addresses - 1) / addresses;
        return perAddress > localPorts
            ? Invariant($"{perAddress} users of one address need as many ports, the system has {localPorts}: ")
                + "widen net.ipv4.ip_local_port_range, or give -if several addresses" : null;
    }

    private static string Invariant(FormattableString sentence) => sentence.ToString(CultureInfo.InvariantCulture);
}
