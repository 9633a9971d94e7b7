using System.Net;

namespace PerfTools.Processes;

/// <summary>Chooses where the roles of a run listen: on the loopback interface, unless a role of the run is on another machine.</summary>
internal static class ListenPlace
{
    /// <summary>The option that sets the address on which a program listens.</summary>
    public const string Option = "-if";

    /// <summary>The address to which only programs of this machine can connect.</summary>
    public static string Loopback { get; } = IPAddress.Loopback.ToString();

    /// <summary>The line that says that other machines can connect, and why; null where they cannot.</summary>
    /// <param name="external">Roles that were not started here.</param>
    /// <param name="ranks">The number of machines in the run.</param>
    public static string? Describe(IEnumerable<string> external, int ranks = 1)
    {
        const string Open = "The roles listen on every address of this machine, not on 127.0.0.1 alone";
        string[] names = [.. external];
        return ranks > 1 ? FormattableString.Invariant($"{Open}: {ranks} ranks.")
            : names is [] ? null : $"{Open}: external {(names.Length == 1 ? "role" : "roles")} {string.Join(", ", names)}.";
    }
}
