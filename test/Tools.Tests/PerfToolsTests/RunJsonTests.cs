using System.Text.Json;
using PerfTools.Hosting.Running;
using PerfTools.Results;
using PerfTools.Scenarios;
using Xunit;

namespace Tools.Tests.PerfToolsTests;

public class RunJsonTests
{
    private static readonly DateTime Start = new(2026, 11, 21, 10, 12, 33, 450, DateTimeKind.Utc);

    [Fact]
    public void Create_GoodRun_HasEveryDocumentedName()
    {
        using JsonDocument final = JsonDocument.Parse("{\"final\":true}");
        RunResult result = new()
        {
            Verdict = new("OK", ExitCode.Success, null),
            Figures = SampleFigures.Good,
            StartUtc = Start,
            EndUtc = Start.AddSeconds(12),
            Server = new("ProvPerf", "dotnet exec ProvPerf.dll", 143, final.RootElement.Clone()),
            Client = new("ConsPerf", "dotnet exec ConsPerf.dll", 0, null),
        };
        string text = RunJson.Create("direct", new DirectScenario().DescribeInputs(new()), result);
        Assert.Equal(ExpectedStart, text[..text.IndexOf(",\n  \"machine\"", StringComparison.Ordinal)]);
        using JsonDocument parsed = JsonDocument.Parse(text);
        Assert.True(parsed.RootElement.GetProperty("machine").GetProperty("processors").GetInt32() > 0);
    }

    [Fact]
    public void Create_RunThatNeverStarted_IsWholeAllTheSame()
    {
        RunResult result = new()
        {
            Verdict = new("FAILED", ExitCode.NotStarted, "ProvPerf: \"port\" <in> use"),
            Figures = null,
            StartUtc = Start,
            EndUtc = Start,
            Server = null,
            Client = null,
        };
        string text = RunJson.Create("direct", new DirectScenario().DescribeInputs(new()), result);
        using JsonDocument parsed = JsonDocument.Parse(text);
        Assert.Equal("ProvPerf: \"port\" <in> use", parsed.RootElement.GetProperty("reason").GetString());
        Assert.Equal(JsonValueKind.Null, parsed.RootElement.GetProperty("figures").ValueKind);
    }

    private const string ExpectedStart = """
        {
          "format": "perftools-run-1",
          "scenario": "direct",
          "result": "OK",
          "reason": null,
          "exitCode": 0,
          "startUtc": "2026-11-21T10:12:33.450Z",
          "endUtc": "2026-11-21T10:12:45.450Z",
          "inputs": {
            "rate": 100000,
            "latencyRate": 1000,
            "seconds": 10,
            "pack": 1,
            "connection": "socket",
            "compression": "none",
            "serverArguments": [],
            "clientArguments": [],
            "items": 10000
          },
          "figures": {
            "rateAsked": 100000,
            "rateReached": 100000.4,
            "steadySeconds": 10.002,
            "counts": {
              "updates": {
                "sent": 1000000,
                "received": 1000000,
                "lost": 0,
                "balanced": true
              },
              "requests": {
                "sent": 10000,
                "received": 10000,
                "lost": 0,
                "balanced": true
              },
              "refreshes": {
                "sent": 10000,
                "received": 10000,
                "lost": 0,
                "balanced": true
              }
            },
            "notSent": 0,
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
          "server": {
            "role": "ProvPerf",
            "command": "dotnet exec ProvPerf.dll",
            "exitCode": 143,
            "cpuCorePercent": 6.08,
            "memoryMegabytes": 61.4,
            "final": {
              "final": true
            }
          },
          "client": {
            "role": "ConsPerf",
            "command": "dotnet exec ConsPerf.dll",
            "exitCode": 0,
            "cpuCorePercent": 4.96,
            "memoryMegabytes": 57.6,
            "final": null
          }
        """;
}
