using System.Net;
using System.Net.NetworkInformation;

namespace PerfTools.Processes;

/// <summary>Chooses where the roles of a run listen: on the loopback interface, unless a role of the run is on another machine.</summary>
internal static class ListenPlace
{
    /// <summary>The option that sets the address on which a program listens.</summary>
    public const string Option = "-if";

    /// <summary>The address to which only programs of this machine can connect.</summary>
    public static string Loopback { get; } = IPAddress.Loopback.ToString();

    /// <summary>The address of this machine on which roles listen that others find at an address; null for every address.</summary>
    /// <param name="asked">The address at which others find them; null where the user gave none.</param>
    public static string? FindInterface(string? asked) => IPAddress.TryParse(asked, out IPAddress? address)
        && (IPAddress.IsLoopback(address) || NetworkInterface.GetAllNetworkInterfaces().Any(one =>
            one.GetIPProperties().UnicastAddresses.Any(own => own.Address.Equals(address)))) ? asked : null;

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
