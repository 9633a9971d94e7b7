using PerfTools.Hosting.Control;
using PerfTools.Processes;
using PerfTools.Scenarios;

namespace PerfTools.Control;

/// <summary>A running role whose settings can be changed.</summary>
/// <param name="Name">The name of the role.</param>
/// <param name="Address">The address at which it accepts changes.</param>
/// <param name="Token">The token it requires; null where a program of this host needs none.</param>
internal sealed record ControlledRole(string Name, HostAddress Address, string? Token)
{
    private const string LogExtension = ".log";

    /// <summary>Finds the roles of the run in progress in a folder, or in one below it; empty when there is no run.</summary>
    public static IReadOnlyList<ControlledRole> FindIn(string folder) =>
        Directory.GetDirectories(folder).Prepend(folder).Select(FindOfRun).FirstOrDefault(roles => roles.Count > 0) ?? [];

    /// <summary>True when a name on the command line means this role: its name, or the common name of several numbered roles.</summary>
    public bool IsMeantBy(string name)
    {
        string stem = Name.TrimEnd([.. "0123456789"]);
        return ((string[])[Name, .. stem.EndsWith('-') ? (string[])[stem[..^1], stem[..^1] + "s"] : []]).Contains(name,
            StringComparer.OrdinalIgnoreCase);
    }

    // The control address that each role prints on its console is in its log.
    private static IReadOnlyList<ControlledRole> FindOfRun(string folder) => ControlToken.Find(folder) is not { } token ? [] :
    [
        .. from log in Directory.GetFiles(folder, "*" + LogExtension).Order(StringComparer.Ordinal)
           let address = ReadAddress(log)
           where address is not null
           select new ControlledRole(NameOf(Path.GetFileName(log)), address, token),
    ];

    private static string NameOf(string log) =>
        ScenarioList.All.SelectMany(scenario => scenario.Roles).FirstOrDefault(role => role.LogFile == log)?.Name
            ?? Path.GetFileNameWithoutExtension(log);

    private static HostAddress? ReadAddress(string log)
    {
        using FileStream file = new(log, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete);
        using StreamReader lines = new(file);
        while (lines.ReadLine() is { } line)
        {
            if (line.StartsWith(ControlPoint.ControlLine, StringComparison.Ordinal))
                return HostAddress.TryParse(line[ControlPoint.ControlLine.Length..]);
        }

        return null;
    }
}
