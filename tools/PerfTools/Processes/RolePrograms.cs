using System.Diagnostics.CodeAnalysis;

namespace PerfTools.Processes;

/// <summary>The roles as verbs of perftools (<c>perftools provperf ...</c>), so that one native program contains all of them.</summary>
internal static class RolePrograms
{
    private static readonly Dictionary<string, Func<string[], int>> Programs = new(StringComparer.Ordinal)
    {
        [VerbOf(nameof(ConsPerf))] = ConsPerf.Program.Main,
        [VerbOf(nameof(HubPerf))] = HubPerf.Program.Main,
        [VerbOf(nameof(LatencyPerf))] = LatencyPerf.Program.Main,
        [VerbOf(nameof(NIProvPerf))] = NIProvPerf.Program.Main,
        [VerbOf(nameof(ProvPerf))] = ProvPerf.Program.Main,
        [VerbOf(nameof(TransportPerf))] = TransportPerf.Program.Main,
        [VerbOf(nameof(UsersPerf))] = UsersPerf.Program.Main,
    };

    /// <summary>The verbs, in order.</summary>
    public static IEnumerable<string> Verbs => Programs.Keys;

    /// <summary>The verb of a program.</summary>
#pragma warning disable CA1308 // commands are lower case
    public static string VerbOf(string program) => program.ToLowerInvariant();
#pragma warning restore CA1308

    /// <summary>Finds the role that a command line begins with.</summary>
    /// <param name="args">The command line.</param>
    /// <param name="program">Runs the role with the remaining arguments.</param>
    public static bool TryFind(string[] args, [NotNullWhen(true)] out Func<int>? program)
    {
        program = args is [var verb, .. var rest] && Programs.TryGetValue(verb, out Func<string[], int>? main) ? () => main(rest) : null;
        return program is not null;
    }
}
