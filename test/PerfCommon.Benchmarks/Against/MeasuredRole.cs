using System.Diagnostics;
using System.Globalization;
using System.Runtime.InteropServices;
using PerfCommon.Benchmarks.Runs;
using PerfTools.Results.Files;

namespace PerfCommon.Benchmarks.Against;

/// <summary>One role of one build, running in a separate folder.</summary>
/// <remarks>It is killed when it is no longer needed, so it does not write its final output.</remarks>
internal sealed class MeasuredRole : IDisposable
{
    private const string PortText = "Listening on port ";
    private const string LinesFile = "lines.jsonl";

    private readonly AgainstRole _role;
    private readonly Process _process;
    private readonly JsonLinesReader _reader;
    private readonly List<CollectionLine> _lines = [];
    private int _port;
    private string? _lastErrorLine;

    /// <summary>Starts it.</summary>
    /// <param name="role">The role.</param>
    /// <param name="build">The build with its program.</param>
    /// <param name="folder">An empty folder for its output.</param>
    /// <param name="arguments">Its own options, without those for time and files.</param>
    public MeasuredRole(AgainstRole role, BuildFolder build, string folder, params string[] arguments)
    {
        _role = role;
        _reader = new(Path.Combine(folder, LinesFile));
        string[] shared = ["-tickRate", "1000", "-writeStatsInterval", "1", "-jsonFile", LinesFile];
        _process = new()
        {
            StartInfo = new(FindHost(), ["exec", build.Find(role.Program), .. arguments, .. shared])
            {
                WorkingDirectory = folder,
                RedirectStandardOutput = true,
                RedirectStandardError = true,
            },
        };
        _process.OutputDataReceived += (_, line) => TakeOutput(line.Data);
        _process.ErrorDataReceived += (_, line) => Volatile.Write(ref _lastErrorLine, line.Data ?? _lastErrorLine);
        _process.Start();
        _process.BeginOutputReadLine();
        _process.BeginErrorReadLine();
    }

    /// <summary>The port it listens on; 0 until it reported it.</summary>
    public int Port => Volatile.Read(ref _port);

    /// <summary>Its collections so far.</summary>
    public IReadOnlyList<CollectionLine> Lines => _lines;

    /// <summary>The last collection; null before the first.</summary>
    public CollectionLine? Last => _lines is [.., var last] ? last : null;

    /// <summary>The reason why waiting for it is useless; null while it runs.</summary>
    public string? Failure => _process.HasExited
        ? string.Create(CultureInfo.InvariantCulture, $"{_role.Name} ended with {_process.ExitCode}: {Volatile.Read(ref _lastErrorLine)}")
        : null;

    /// <summary>Reads the collections that were written since the last call.</summary>
    public void ReadLines() =>
        _lines.AddRange(_reader.ReadNew().Select(l => CollectionLine.Read(new(l), _role.Counts)).OfType<CollectionLine>());

    /// <summary>Returns the processor time since its start.</summary>
    public double ReadCpuSeconds()
    {
        _process.Refresh();
        return _process.HasExited ? 0 : _process.TotalProcessorTime.TotalSeconds;
    }

    public void Dispose()
    {
        if (!_process.HasExited)
            _process.Kill(entireProcessTree: true);
        _process.WaitForExit();
        _process.Dispose();
    }

    private void TakeOutput(string? line)
    {
        if (line is null || !line.StartsWith(PortText, StringComparison.Ordinal))
            return;
        if (int.TryParse(line.AsSpan(PortText.Length), CultureInfo.InvariantCulture, out int port))
            Volatile.Write(ref _port, port);
    }

    // Returns the runtime that runs this program.
    private static string FindHost() => Path.GetFullPath(Path.Combine(
        RuntimeEnvironment.GetRuntimeDirectory(), "..", "..", "..", OperatingSystem.IsWindows() ? "dotnet.exe" : "dotnet"));
}
