using System.Reflection;
using Xunit;

namespace Tools.Tests.House;

/// <summary>One name, one type: a name is clear without its namespace.</summary>
public class TypeNameTests
{
    private const string EntryPoint = "Program"; // every tool has one

    [Fact]
    public void Types_OfSrcAndTools_ShareNoName() =>
        Assert.Empty(FindShared(HouseTests.Assemblies.SelectMany(name => Assembly.Load(name).GetTypes()).Where(IsOurs)));

    [Fact]
    public void FindShared_OfTwoTimersAndAnotherType_NamesTheTimers() => Assert.Equal(["Timer: System.Threading, System.Timers"],
        FindShared([typeof(System.Timers.Timer), typeof(List<int>), typeof(Timer)]));

    // A type and its generic form have two names: Burst, Burst`1. What the compiler and its generators add has namespaces of theirs.
    private static bool IsOurs(Type type)
    {
        string[] roots = [.. HouseTests.Assemblies.Select(name => name.Split('.')[0])];
        return !type.IsNested && type.Name != EntryPoint && !type.Name.Contains('<', StringComparison.Ordinal)
            && roots.Contains(type.Namespace?.Split('.')[0], StringComparer.OrdinalIgnoreCase);
    }

    private static IEnumerable<string> FindShared(IEnumerable<Type> types) =>
        from type in types
        group type.Namespace by type.Name into named
        where named.Count() > 1
        select $"{named.Key}: {string.Join(", ", named.Order(StringComparer.Ordinal))}";
}
