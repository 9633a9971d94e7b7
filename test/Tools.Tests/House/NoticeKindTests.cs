using System.Reflection;
using PerfCommon.Workers;
using Xunit;

namespace Tools.Tests.House;

/// <summary>The kinds of notices: each number and name once, and the table of the documentation.</summary>
[Trait("Category", "Fast")]
public class NoticeKindTests
{
    // tools have theirs besides
    private static readonly string[] Libraries = ["PerfCommon", "PerfHub"];

    [Fact]
    public void Kinds_OfLibrariesAndTools_DifferInNumberAndName()
    {
        NoticeKind[] kinds = [.. KindsOf([.. Libraries, "ConsPerf", "ProvPerf", "HubPerf", "UsersPerf", "TransportPerf", "NIProvPerf", "LatencyPerf"])];
        Assert.InRange(kinds.Length, 50, 200);
        Assert.Equal(kinds.Length, kinds.Select(kind => kind.Id).Distinct().Count());
        Assert.Equal(kinds.Length, kinds.Select(kind => kind.Name).Distinct().Count());
    }

    [Fact]
    public void Kinds_OfLibraries_AreThoseOfTheDocumentation()
    {
        string[] documented = [.. File.ReadLines(Path.Combine(RepositoryRoot.FullPath, "docs/library.md"))
            .SkipWhile(line => line != "## Notices").Skip(1).TakeWhile(line => !line.StartsWith("## ", StringComparison.Ordinal))
            .Where(line => line.StartsWith("| ", StringComparison.Ordinal)).Skip(1)];
        Assert.Equal(KindsOf(Libraries)
            .Select(kind => $"| {kind.Id} | `{kind.Name}` | {(kind.Level == NoticeLevel.Warning ? "warning" : "information")} | {kind.Template} |"),
            documented);
    }

    private static IEnumerable<NoticeKind> KindsOf(IEnumerable<string> assemblies) => assemblies.SelectMany(name => Assembly.Load(name).GetTypes())
        .SelectMany(type => type.GetFields(BindingFlags.Static | BindingFlags.Public | BindingFlags.NonPublic))
        .Where(field => field.FieldType == typeof(NoticeKind)).Select(field => (NoticeKind)field.GetValue(null)!).OrderBy(kind => kind.Id);
}
