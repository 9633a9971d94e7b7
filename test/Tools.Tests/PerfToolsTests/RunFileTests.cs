using System.Text.Json;
using PerfCommon;
using PerfTools.Results.Documents;
using Xunit;

namespace Tools.Tests.PerfToolsTests;

public sealed class RunFileTests : IDisposable
{
    private readonly TestFolder _folder = new();

    private static RunDocument Good => SampleFigures.Run;

    [Fact]
    public void CreateText_GoodRun_HasEveryDocumentedName()
    {
        string text = RunFile.CreateText(Good);
        Assert.Equal(ExpectedStart, text[..text.IndexOf(",\n  \"machine\"", StringComparison.Ordinal)]);
        using JsonDocument parsed = JsonDocument.Parse(text);
        Assert.True(parsed.RootElement.GetProperty("machine").GetProperty("processors").GetInt32() > 0);
    }

    [Fact]
    public void CreateText_RunThatNeverStarted_IsWholeAllTheSame()
    {
        RunDocument run = Good with { Verdict = "FAILED", Reason = "ProvPerf: \"port\" <in> use", Figures = null, Roles = [], Links = [] };
        using JsonDocument parsed = JsonDocument.Parse(RunFile.CreateText(run));
        Assert.Equal("ProvPerf: \"port\" <in> use", parsed.RootElement.GetProperty("reason").GetString());
        Assert.Equal(JsonValueKind.Null, parsed.RootElement.GetProperty("figures").ValueKind);
    }

    [Fact]
    public void Read_WhatWasWritten_IsTheSame()
    {
        RunFolder folder = RunFolder.Open(_folder.PathOf("r"), "direct", DateTime.UtcNow, []);
        Assert.Null(RunFile.TryWrite(folder, Good));
        RunDocument read = RunFile.Read(folder.PathOf(RunFile.Name));
        Assert.Equal(RunFile.CreateText(Good), RunFile.CreateText(read));
        Assert.Equal(SampleFigures.Good, read.Figures);
        Assert.Equal(SampleFigures.GoodLinks, read.Links);
        Assert.Equal(Good.StartUtc, read.StartUtc);
        Assert.Equal([RunFile.Name], Directory.GetFiles(folder.FullPath).Select(Path.GetFileName));
    }

    [Theory]
    [InlineData("{\"format\":\"perftools-run-1\",\"result\":\"OK\"}", "format perftools-run-1 found, perftools-run-2 or perftools-run-3 expected")]
    [InlineData("{\"format\":7}", "format (none) found, perftools-run-2 or perftools-run-3 expected")]
    [InlineData("null", "format (none) found, perftools-run-2 or perftools-run-3 expected")]
    public void Read_AnotherFormat_IsRefusedInOneSentence(string text, string problem) =>
        Assert.Equal($"{Written(text)}: {problem}", Refuse(text));

    /// <summary>As 0.16 wrote it, with every kind of role.</summary>
    [Fact]
    public void Read_RecordedFileOfFormat2_HasEverythingButFiguresOfRoles()
    {
        RunDocument run = RunFile.Read(Path.Combine(AppContext.BaseDirectory, "PerfToolsTests", "Recorded", "run-2.json"));
        Assert.Equal(("perftools-run-2", "hub-direct", "OK"), (run.Format, run.Scenario, run.Verdict));
        Assert.Equal(["provider", "hub", "consumer"], run.Roles.Select(role => role.Name));
        Assert.All(run.Roles, role => Assert.Empty(role.Figures));
        Assert.All(run.Roles, role => Assert.NotNull(role.Final));
        Assert.True(run.Figures!.RateReached > 0);
    }

    [Theory]
    [InlineData("")]
    [InlineData("{\"format\":\"perftools-run-2\"")]
    [InlineData("{\"format\":\"perftools-run-2\",\"scenario\":\"direct\"}")]
    public void Read_FileThatIsNotWhole_IsRefused(string text) =>
        Assert.StartsWith(Written(text) + ": ", Refuse(text), StringComparison.Ordinal);

    [Fact]
    public void Read_AnyMemberMissingOrOfAnotherType_IsRefused()
    {
        foreach (string line in RunFile.CreateText(Good).Split('\n').Where(line =>
            line.StartsWith("  \"", StringComparison.Ordinal) && line.EndsWith(',')))
        {
            string text = RunFile.CreateText(Good);
            Refuse(text.Replace(line + "\n", "", StringComparison.Ordinal));
            Refuse(text.Replace(line, line[..line.IndexOf(':', StringComparison.Ordinal)] + ": [[]],", StringComparison.Ordinal));
        }
    }

    [Fact]
    public void Read_HalfAFile_TellsTheLine() =>
        Assert.EndsWith("run.json: not whole, or no JSON, in line 3", Refuse("{\n\"format\": \"perftools-run-2\",\n\"steady\": 6"),
            StringComparison.Ordinal);

    [Fact]
    public void Read_NoFile_IsRefused()
    {
        SetupException refused = Assert.Throws<SetupException>(() => RunFile.Read(_folder.PathOf("none")));
        Assert.Equal((SetupProblem.InputFile, $"{_folder.PathOf("none")}: cannot be read: no such file"),
            (refused.Problem, refused.Message));
    }

    public void Dispose() => _folder.Dispose();

    private string Written(string text)
    {
        string path = _folder.PathOf("run.json");
        File.WriteAllText(path, text);
        return path;
    }

    private string Refuse(string text)
    {
        string path = Written(text);
        SetupException refused = Assert.Throws<SetupException>(() => RunFile.Read(path));
        Assert.Equal(SetupProblem.InputFile, refused.Problem);
        Assert.DoesNotContain('\n', refused.Message);
        return refused.Message;
    }

    private const string ExpectedStart = """
        {
          "format": "perftools-run-3",
          "scenario": "direct",
          "verdict": "OK",
          "reason": null,
          "exitCode": 0,
          "startUtc": "2026-11-21T10:12:33.450Z",
          "endUtc": "2026-11-21T10:12:45.450Z",
          "inputs": {
            "rate": 100000,
            "latencyRate": 1000,
            "stamp": "sent",
            "seconds": 10,
            "pack": 1,
            "connection": "socket",
            "compression": "none",
            "arguments": {
              "provider": [],
              "consumer": []
            },
            "external": {},
            "items": 10000,
            "posting": 0,
            "generic": 0,
            "rtt": false,
            "threads": 1
          },
          "figures": {
            "rateAsked": 100000,
            "rateReached": 100000.4,
            "steadySeconds": 10.002,
            "latencyMicros": {
              "count": 10000,
              "average": 36.25,
              "deviation": 12.5,
              "min": 14,
              "max": 1702,
              "p50": 31,
              "p90": 49,
              "p99": 74,
              "p999": 410,
              "p9999": 1650
            },
            "sendLagMicros": {
              "count": 10000,
              "average": 20,
              "deviation": 0,
              "min": 0,
              "max": 590,
              "p50": 13.5,
              "p90": 40,
              "p99": 61,
              "p999": 300,
              "p9999": 590
            },
            "images": {
              "count": 10000,
              "seconds": 0.0214
            }
          },
          "assertions": [
            {
              "assertion": "p99<100us",
              "kept": true,
              "figure": 74,
              "line": "p99<100us: 74us, kept"
            }
          ],
          "roles": [
            {
              "name": "provider",
              "tool": "Tool",
              "command": "dotnet exec Tool.dll",
              "exitCode": 143,
              "cpuCorePercent": 6.08,
              "memoryMegabytes": 61.4,
              "files": {
                "log": "provider.log",
                "jsonLines": "provider.jsonl",
                "histograms": "provider"
              },
              "figures": [],
              "final": null
            },
            {
              "name": "consumer",
              "tool": "Tool",
              "command": "dotnet exec Tool.dll",
              "exitCode": 0,
              "cpuCorePercent": 4.96,
              "memoryMegabytes": 57.6,
              "files": {
                "log": "consumer.log",
                "jsonLines": "consumer.jsonl",
                "histograms": "consumer"
              },
              "figures": [],
              "final": null
            }
          ],
          "links": [
            {
              "from": "provider",
              "to": "consumer",
              "what": "updates",
              "sent": 1000000,
              "received": 1000000,
              "lost": 0,
              "notSent": 0,
              "balanced": true,
              "comparable": true
            },
            {
              "from": "consumer",
              "to": "provider",
              "what": "requests",
              "sent": 10000,
              "received": 10000,
              "lost": 0,
              "notSent": 0,
              "balanced": true,
              "comparable": true
            },
            {
              "from": "provider",
              "to": "consumer",
              "what": "refreshes",
              "sent": 10000,
              "received": 10000,
              "lost": 0,
              "notSent": 0,
              "balanced": true,
              "comparable": true
            }
          ]
        """;
}
