using System.Diagnostics;
using System.Text.RegularExpressions;
using System.Xml.Linq;
using PerfTools.Processes;
using Xunit;

namespace Tools.Tests.PerfToolsTests.Comparison;

/// <summary>The shell lines of docs/ci.md, run by a shell as the jobs would.</summary>
public sealed partial class PipelineTests : IDisposable
{
    // What the jobs have installed, and what stands for the user's provider.
    private const string Prelude = """
        set -e
        perftools() { dotnet exec "$TOOLS/perftools.dll" "$@"; }
        start-provider() {
          dotnet exec "$TOOLS/ProvPerf.dll" -p "$2" -updateRate 20000 -latencyUpdateRate 1000 -runTime 400 > "provider-$1.log" & provider=$!
          for i in $(seq 2000); do grep -q Listening "provider-$1.log" && return; sleep 0.05; done
          return 4
        }
        stop-provider() { kill "$provider"; wait "$provider" || true; }

        """;

    private static readonly string Text = File.ReadAllText(Path.Combine(RepositoryRoot.FullPath, "docs/ci.md"));
    private readonly TestFolder _folder = new();

    [Fact]
    public async Task Lines_OfTheGitHubJob_MeasureAndCompare()
    {
        (int code, string said) = await Run(string.Join('\n', Lines("GitHub Actions")), TestContext.Current.CancellationToken);
        Assert.True(code is 0 or 6, said); // 6: the second provider met a busier machine
        string summary = File.ReadAllText(_folder.PathOf("summary.md"));
        Assert.Matches("^\\*\\*(same|worse|better|mixed|not comparable)\\*\\*", summary);
        Assert.Equal("1", XDocument.Load(_folder.PathOf("perftools.xml")).Root!.Attribute("tests")!.Value);
        Assert.True(File.Exists(_folder.PathOf("comparison.html")));
        Assert.True(File.Exists(_folder.PathOf("after/report.html")));
    }

    [Fact]
    public void Lines_OfTheAzureJob_AreThoseOfTheOther() => Assert.Equal(
        Lines("GitHub Actions").Select(line =>
            line.Replace("--markdown - >> \"$GITHUB_STEP_SUMMARY\"", "--markdown comparison.md", StringComparison.Ordinal)),
        Lines("Azure Pipelines"));

    public void Dispose() => _folder.Dispose();

    // Those of the steps of several lines: what they install and upload is the system's own.
    private static string[] Lines(string heading)
    {
        string job = Text[Text.IndexOf($"## {heading}", StringComparison.Ordinal)..];
        return [.. Steps().Matches(job[..job.IndexOf("\n```\n", StringComparison.Ordinal)]).SelectMany(step =>
            step.Groups[2].Value.TrimEnd().Split('\n')).Select(line => line.Trim())];
    }

    private async Task<(int Code, string Said)> Run(string lines, CancellationToken token)
    {
        ProcessStartInfo start = new("/bin/bash", ["-c", Prelude + lines])
        {
            WorkingDirectory = _folder.FullPath,
            RedirectStandardError = true,
            RedirectStandardOutput = true
        };
        (string Name, string Value)[] variables =
            [("TOOLS", AppContext.BaseDirectory), ("PORT", $"{FreePort.Find()}"), ("EACH", "10"), ("RUNS", "1"),
                ("GITHUB_STEP_SUMMARY", _folder.PathOf("summary.md"))];
        foreach ((string name, string value) in variables)
            start.Environment[name] = value;
        using IDisposable turn = await PerfToolsRuns.Take(token);
        using Process shell = Process.Start(start)!;
        Task<string> output = shell.StandardOutput.ReadToEndAsync(token);
        string error = await shell.StandardError.ReadToEndAsync(token);
        await shell.WaitForExitAsync(token);
        return (shell.ExitCode, error + await output);
    }

    [GeneratedRegex(@"(?:run|script): \|\n((?:\s+)(?=\S))((?:.*\n)*?)(?=\s*- |\n*$)")]
    private static partial Regex Steps();
}
