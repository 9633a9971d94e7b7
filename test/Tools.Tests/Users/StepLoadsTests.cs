using System.Globalization;
using PerfTools.Machine;
using PerfTools.Results.Documents;
using PerfTools.Scenarios.Users;
using Xunit;

namespace Tools.Tests.Users;

[Trait("Category", "Fast")]
public sealed class StepLoadsTests : IDisposable
{
    private const int Processors = 2;
    private const int TicksPerSecond = 100;

    private static readonly DateTime Start = new(2026, 11, 22, 10, 0, 0, DateTimeKind.Utc);

    private readonly RunDirectory _folder = new();

    [Fact]
    public void Read_OfARamp_IsWhatNeitherTheRolesNorThisProcessUsed()
    {
        // both steps: 1 s of log-ins, 2 s of period; the machine is half busy in the first, wholly in the second
        RampSchedule schedule = new(
            new() { Times = new() { WarmupSeconds = 0, SettleSeconds = 0, PeriodSeconds = 2, LoginRate = 10 } }, [10, 20]);
        LoadLog load = new();
        for (int second = 0; second <= 6; second++)
        {
            int busy = (Math.Min(second, 3) * TicksPerSecond) + (Math.Max(0, second - 3) * Processors * TicksPerSecond);
            load.Add(Start.AddSeconds(second), new ProcessorUse(busy, second * Processors * TicksPerSecond, Processors), ownCpuSeconds: 0.1 * second);
        }

        IReadOnlyList<double?> loads = StepLoads.Read(load, Start, schedule, [Role("hub", 0.5), Role("users-1", 0.2)]);

        // of two processors: 1 busy, 0.5 + 0.2 the roles', 0.1 this process's; then 2
        Assert.Equal([10, 60], loads.Select(percent => Math.Round(percent!.Value, 6)));
    }

    [Fact]
    public void Read_NothingKnownOfTheMachine_IsNull() => Assert.Equal([null], StepLoads.Read(
        new LoadLog(), Start, new(new() { Times = new() { PeriodSeconds = 1 } }, [1]), []));

    [Fact]
    public void Merge_OfMachines_TakesTheBusiestInEachStep()
    {
        Assert.Equal([30, 25, null, 7], StepLoads.Merge([[10.0, 25.0, null], [30.0, 20.0, null, 7.0], []]));
        Assert.Empty(StepLoads.Merge([]));
    }

    public void Dispose() => _folder.Dispose();

    // Collections of a second, with so much processor time in each.
    private UsersRole Role(string name, double cpuPerSecond)
    {
        File.WriteAllLines(_folder.File($"{name}.jsonl"), Enumerable.Range(1, 6).Select(second => string.Create(CultureInfo.InvariantCulture,
            $"{{\"tool\":\"X\",\"final\":false,\"utc\":\"2026-11-22T10:00:0{second}.000Z\",\"intervalSeconds\":1,\"overall\":{{}},\"process\":{{\"cpuSeconds\":{cpuPerSecond * second}}}}}")));
        UsersRole role = new(name, ToolNames.Hub, _folder.Path, new($"{name}.log", $"{name}.jsonl", name));
        role.Read();
        return role;
    }
}
