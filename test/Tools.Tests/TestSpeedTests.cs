using System.Reflection;
using Tools.Tests.Runs;
using Xunit;

namespace Tools.Tests;

/// <summary>The tests that run at a developer's every save start no program, neither as a process nor on a thread.</summary>
[Trait("Category", "Fast")]
public class TestSpeedTests
{
    private static readonly Type[] Programs =
        [typeof(RunFolder), typeof(RunningTool), typeof(ToolProcess), typeof(ToolThread), typeof(System.Diagnostics.Process)];

    [Fact]
    public void FastTests_Calls_StartNoProgram()
    {
        HashSet<Type> fast = [.. typeof(TestSpeedTests).Assembly.GetTypes().Where(IsFast)];
        Assert.True(fast.Count > 50, "the classes are marked");

        string[] starting = [.. MethodCalls.BodiesIn(typeof(TestSpeedTests).Assembly)
            .Where(method => fast.Contains(Outermost(method.DeclaringType!)))
            .Where(method => MethodCalls.CallsIn(method).Any(call => (call.IsConstructor && Programs.Contains(call.DeclaringType)) || IsStart(call)))
            .Select(method => $"{method.DeclaringType}.{method.Name}")];

        Assert.Empty(starting);
    }

    private static bool IsStart(MethodBase call) => call.Name.StartsWith("Start", StringComparison.Ordinal) && Programs.Contains(call.DeclaringType);

    private static bool IsFast(Type type) => type.GetCustomAttributes<TraitAttribute>().Any(trait => trait is { Name: "Category", Value: "Fast" });

    private static Type Outermost(Type type)
    {
        while (type.DeclaringType is { } outer)
            type = outer;
        return type;
    }
}
