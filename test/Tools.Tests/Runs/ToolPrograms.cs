using PerfTools.Hosting.Running;

namespace Tools.Tests.Runs;

/// <summary>Calls the programs from tests: command line, console, errors, signals.</summary>
internal static class ToolPrograms
{
    public const string PerfToolsName = "perftools";

    public static Func<string[], TextWriter, TextWriter, RunSignals?, int> Find(string tool) => tool switch
    {
        "ConsPerf" => ConsPerf.Program.Run,
        "ProvPerf" => ProvPerf.Program.Run,
        "NIProvPerf" => NIProvPerf.Program.Run,
        "TransportPerf" => TransportPerf.Program.Run,
        "HubPerf" => HubPerf.Program.Run,
        "UsersPerf" => UsersPerf.Program.Run,
        "LatencyPerf" => LatencyPerf.Program.Run,
        PerfToolsName => (words, output, error, signals) => PerfTools.Program.Run(words, output, error, signals!),
        _ => throw new ArgumentException($"{tool} has no command line that a test can call", nameof(tool)),
    };
}
