using System.Diagnostics;
using System.Globalization;

namespace Mutation;

/// <summary>Answer of a host.</summary>
/// <param name="End">How the tests ended.</param>
/// <param name="Failed">Names of the failed tests; empty where none is named.</param>
/// <param name="Reached">Numbers of the mutants that were reached.</param>
internal readonly record struct HostAnswer(RunEnd End, string[] Failed, int[] Reached);

/// <summary>A host's process, for the run. It is started for the first request and again after a request that ended it.</summary>
internal sealed class HostProcess(string folder, string tests, string mutated) : IDisposable
{
    private Process? _process;

    /// <summary>True when the next request is answered by a process that has run nothing.</summary>
    public bool IsFresh => _process is null;

    /// <summary>Runs tests.</summary>
    /// <param name="mutant">Number of the active mutant; 0 for none.</param>
    /// <param name="chosen">Arguments that select tests.</param>
    /// <param name="seconds">Limit; the process is killed after it.</param>
    public HostAnswer Ask(int mutant, IEnumerable<string> chosen, double seconds)
    {
        Process process = _process ??= Start(mutant);
        string? answer = null;
        try
        {
            process.StandardInput.WriteLine(string.Join('\t', chosen.Prepend(mutant.ToString(CultureInfo.InvariantCulture))));
            process.StandardInput.Flush();
            Task<string?> line = process.StandardOutput.ReadLineAsync();
            if (!Wait(line, seconds))
            {
                End();
                return new HostAnswer(RunEnd.TimedOut, [], []);
            }

            answer = line.Result;
        }
        catch (IOException)
        {
            // the process has ended, as below
        }

        if (answer is null)
        {
            End();
            return new HostAnswer(RunEnd.Failed, [], []);
        }

        string[] parts = answer.Split('\t');
        int[] reached = [.. parts[1].Split(' ', StringSplitOptions.RemoveEmptyEntries).Select(id => int.Parse(id, CultureInfo.InvariantCulture))];
        if (parts[0] == "passed")
            return new HostAnswer(RunEnd.Passed, [], reached);
        return new HostAnswer(RunEnd.Failed, parts[0][0] == '?' ? [] : parts[0].Split(' '), reached);
    }

    /// <summary>Kills the process and those that its tests have started.</summary>
    public void End()
    {
        if (_process is not { } process)
            return;
        _process = null;
        if (!process.HasExited)
            process.Kill(entireProcessTree: true);
        process.Dispose();
    }

    public void Dispose() => End();

    // Waits in short steps: when the whole run is stopped and continued, the time between does not count for the tests.
    private static bool Wait(Task task, double seconds)
    {
        const double SliceSeconds = 0.5;
        for (double waited = 0; waited < seconds; waited += SliceSeconds)
        {
            if (task.Wait(TimeSpan.FromSeconds(SliceSeconds)))
                return true;
        }

        return false;
    }

    private Process Start(int mutant)
    {
        string program = Path.Combine(folder, Path.GetFileNameWithoutExtension(tests));
        ProcessStartInfo start = new("dotnet", ["exec", "--depsfile", program + ".deps.json", "--runtimeconfig", program + ".runtimeconfig.json",
            Path.Combine(folder, "Mutation.dll"), TestHost.Argument, tests, mutated])
        {
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            RedirectStandardError = true, // a stack overflow is reported there
            WorkingDirectory = folder,
        };
        start.Environment[SwitchSource.ActiveVariable] = mutant.ToString(CultureInfo.InvariantCulture);
        start.Environment["DOTNET_TieredCompilation"] = "1"; // tests need final code, which takes longer to compile
        start.Environment["DOTNET_TieredPGO"] = "0";
        Process process = Process.Start(start)!;
        process.BeginErrorReadLine();
        return process;
    }
}
