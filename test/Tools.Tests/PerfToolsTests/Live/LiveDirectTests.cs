using System.Text;
using System.Text.RegularExpressions;
using PerfTools.Results.Documents;
using Tools.Tests.Runs;
using Xunit;

namespace Tools.Tests.PerfToolsTests.Live;

/// <summary>The page of a real run, fetched while the run is in progress.</summary>
public sealed partial class LiveDirectTests : IDisposable
{
    private readonly TestFolder _folder = new();
    private readonly HttpClient _client = new() { Timeout = TimeSpan.FromSeconds(30) };

    [Fact]
    public async Task Run_Served_ShowsItsCollectionsAndThenItsVerdict()
    {
        using IDisposable turn = await PerfToolsRuns.Take(TestContext.Current.CancellationToken);
        StringBuilder printed = new();
        using CollectingWriter output = new(text => Append(printed, text)), error = new(text => Append(printed, text));
        string[] args = ["run", "direct", "--items", "500", "--rate", "5000", "--latency-rate", "500", "--seconds", "10", "--serve",
            "--out", _folder.PathOf("run")];
        Task<int> run = Task.Factory.StartNew(() => PerfTools.Program.Run(args, output, error), TestContext.Current.CancellationToken,
            TaskCreationOptions.LongRunning, TaskScheduler.Default);
        Uri next = new(await FindAddress(printed, run) + "next");
        List<string> contents = [];
        while (contents.LastOrDefault()?.Contains("data-last", StringComparison.Ordinal) != true)
            contents.Add(await _client.GetStringAsync(next, TestContext.Current.CancellationToken));
        int code = await run;

        // 6: the machine was too busy for the rate; everything else must hold then too
        Assert.True(code is 0 or 6, $"exit code {code}: {printed}");
        string[] measuring = [.. contents.Where(content => content.Contains("measuring, ", StringComparison.Ordinal))];
        Assert.InRange(measuring.Length, 5, int.MaxValue);
        Assert.InRange(measuring.Distinct().Count(), 5, int.MaxValue);
        string shown = measuring[^1];
        string lines = File.ReadAllText(_folder.PathOf("run/ConsPerf.jsonl"));
        Assert.Contains($"\"updateRate\":{Figure().Match(shown).Groups[1].Value}", lines, StringComparison.Ordinal);
        Assert.InRange(shown.Split("<svg").Length - 1, 5, 5);
        RunDocument document = RunFile.Read(_folder.PathOf("run/run.json"));
        Assert.Contains($"<b id=verdict>{document.Verdict}</b>", contents[^1], StringComparison.Ordinal);
        Assert.Contains($"report.html is in the folder {_folder.PathOf("run")}", contents[^1], StringComparison.Ordinal);
    }

    public void Dispose()
    {
        _client.Dispose();
        _folder.Dispose();
    }

    private static void Append(StringBuilder printed, string text)
    {
        lock (printed)
            printed.Append(text);
    }

    private static async Task<string> FindAddress(StringBuilder printed, Task run)
    {
        while (!run.IsCompleted)
        {
            lock (printed)
            {
                if (Address().Match($"{printed}") is { Success: true } found)
                    return found.Groups[1].Value;
            }

            await Task.Delay(20, TestContext.Current.CancellationToken);
        }

        throw new InvalidOperationException($"no live page: {printed}");
    }

    [GeneratedRegex("Live page: (http://127.0.0.1:[0-9]+/[0-9a-f]{48}/)\n")]
    private static partial Regex Address();

    [GeneratedRegex("data-figure=\"live.received\" data-value=\"([0-9.]+)\"")]
    private static partial Regex Figure();
}
