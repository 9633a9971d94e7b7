using System.Text.Json;
using PerfTools.Machine;
using PerfTools.Results.Documents;
using PerfTools.Scenarios.Users;
using UsersPerf;
using Xunit;

namespace Tools.Tests.Users;

/// <summary>The condition that ends a ramp, looked for in the steps of its results: the capacity is the last step that keeps it.</summary>
[Trait("Category", "Fast")]
public sealed class RampUntilTests : IDisposable
{
    private static readonly DateTime Start = new(2026, 11, 22, 10, 0, 0, DateTimeKind.Utc);

    private readonly RunDirectory _folder = new();

    public void Dispose() => _folder.Dispose();

    // Steps of 100, 200, 300 users: 200, 400, 600 updates in 2 s, of 1,000 us, 2,000 us, 3,000 us and up, one microsecond apart.
    [Theory]
    [InlineData(null, 300, null)]
    [InlineData("avg<3ms", 200, null)]
    [InlineData("avg<3.3ms", 300, null)]
    [InlineData("max<3599us", 200, null)]
    [InlineData("max<=3600us", 300, null)]
    [InlineData("max<2399us", 100, null)]
    [InlineData("p50<2.5ms", 200, null)]
    [InlineData("p90<2.5ms", 200, null)]
    [InlineData("p99<2.5ms", 300, null)] // of too few samples
    [InlineData("p50<1ms", null, "step 1 with 100 users: p50<1ms")]
    [InlineData("rate<300", 200, null)]
    [InlineData("rate<=300", 300, null)]
    [InlineData("rate>=100%", 300, null)]
    [InlineData("lost<1,rate<200", 100, null)] // the second limit
    [InlineData("lost>=1", null, "step 1 with 100 users: lost>=1")]
    [InlineData("memory<1MB", 300, null)] // not a figure of a step
    public void Judge_ByTheConditionOfTheRun_FindsTheLastStepThatKeepsIt(string? until, int? capacity, string? reason)
    {
        RampMerge merged = RampMerge.Read([Write(until)]);
        Assert.Equal((capacity, reason), (merged.Result.Capacity?.Users, merged.Verdict.Reason));
        Assert.Equal(reason is null ? RunVerdict.Ok : RunVerdict.Slow, merged.Verdict.Result);
    }

    // What a process judges by figures that the row of a step lacks, or has too few samples for, is in its outcome alone; what the row has is judged by
    // it, as it is of all processes.
    [Theory]
    [InlineData("p99<1s", "ended by step 3 with 300 users: p99<1s: too few samples", 200, null)]
    [InlineData("memory<1MB", "ended by step 2 with 200 users: memory<1MB: 60 MB", 100, null)]
    [InlineData("p99<1s", "ended by step 1 with 100 users: p99<1s: too few samples", null, "step 1 with 100 users: p99<1s: too few samples")]
    [InlineData("p99<1s", "ended by step 30 with 3000 users: p99<1s: too few samples", 300, null)]
    [InlineData("p50<1s", "ended by step 2 with 200 users: p50<1s: too few samples", 300, null)]
    [InlineData("p99<1s", "all steps were measured", 300, null)]
    public void Judge_ByTheOutcomeOfAProcess_FindsTheLastStepThatKeepsIt(string until, string outcome, int? capacity, string? reason)
    {
        string folder = Write(until);
        string lines = Path.Combine(folder, "users.jsonl");
        File.WriteAllText(lines, File.ReadAllText(lines).Replace("\"final\":true", $"\"final\":true,\"exitReason\":\"{outcome}\"", StringComparison.Ordinal));
        RampMerge merged = RampMerge.Read([folder]);
        Assert.Equal((capacity, reason), (merged.Result.Capacity?.Users, merged.Verdict.Reason));
    }

    private string Write(string? until)
    {
        Period[] periods = RampMergeTests.CreatePeriods();
        for (int step = 0; step < periods.Length; step++)
        {
            for (int i = 0; i < 200 * (step + 1); i++)
            {
                periods[step].Record((1_000 * (step + 1)) + i);
                periods[step].Updates++;
            }
        }

        string folder = RampMergeTests.WritePart(Directory.CreateDirectory(_folder.File("whole")).FullName, periods, parts: 1);
        File.WriteAllText(Path.Combine(folder, RunFile.Name), RunFile.CreateText(new RunDocument
        {
            Scenario = "users-low",
            Verdict = RunVerdict.Ok,
            Reason = null,
            ExitCode = 0,
            StartUtc = Start,
            EndUtc = Start.AddSeconds(10),
            Inputs = new Dictionary<string, JsonElement> { ["until"] = JsonSerializer.SerializeToElement(until) }, // null is of another kind
            Figures = null,
            Assertions = [],
            Roles = [RampMergeTests.RoleOf("users")],
            Links = [],
            Machine = ThisMachine.Description,
        }));
        return folder;
    }
}
