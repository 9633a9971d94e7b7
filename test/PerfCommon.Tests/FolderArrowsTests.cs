using System.Text.RegularExpressions;
using Xunit;

namespace PerfCommon.Tests;

/// <summary>Forbidden dependencies between folders, in addition to the table of arrows (test/Tools.Tests/House/arrows.txt).</summary>
public partial class FolderArrowsTests
{
    private static readonly string[] MeaningOfMessages = ["Codec", "Domains", "MsgData"];

    public static TheoryData<string> Tools => new(FoldersIn("tools"));

    [Fact]
    public void LatencyProtocol_KnowsNoLinkAndNoSocket() => Assert.DoesNotContain(
        SourcesIn("tools/LatencyPerf/Protocol"),
        text => text.Contains("Clock.Now", StringComparison.Ordinal) || text.Contains("new Socket", StringComparison.Ordinal));

    [Theory]
    [MemberData(nameof(Tools))]
    public void Tool_DoesNotUseAnotherTool(string tool)
    {
        string[] others = [.. FoldersIn("tools").Where(other => other != tool)];
        string[] used = [.. SourcesIn($"tools/{tool}").SelectMany(UsedNamespaces)
            .Where(n => !n.StartsWith("PerfTools.Hosting.", StringComparison.Ordinal)
                && !n.StartsWith("PerfTools.Results.", StringComparison.Ordinal)).Select(n => n.Split('.')[0]).Intersect(others)];
        Assert.True(used.Length == 0, $"{tool} must not use {string.Join(", ", used)}");
    }

    [Theory]
    [InlineData("src/PerfCommon/Transport")]
    [InlineData("src/PerfCommon/Workers")]
    [InlineData("tools/TransportPerf")]
    public void Folder_BelowMessages_KnowsNone(string folder) => Assert.Empty(KnownIn(folder).Intersect(MeaningOfMessages));

    [Theory]
    [InlineData("src/PerfCommon/Codec", "Codec")]
    [InlineData("src/PerfCommon/Measurement", "Measurement")]
    [InlineData("src/PerfTools.Results", "Measurement")]
    public void Folder_AtTheBottom_KnowsOneAtMost(string folder, string known) => Assert.Empty(KnownIn(folder).Except([known]));

    [Fact]
    public void Results_KnowNoTool() =>
        Assert.DoesNotContain(SourcesIn("src/PerfTools.Results").SelectMany(UsedNamespaces), name =>
            name.StartsWith("PerfTools.", StringComparison.Ordinal) && !name.StartsWith("PerfTools.Results.", StringComparison.Ordinal));

    [Fact]
    public void Hub_KnowsTheLibraryAlone() =>
        Assert.DoesNotContain(SourcesIn("src/PerfHub").SelectMany(UsedNamespaces), name =>
            name.StartsWith("PerfTools.", StringComparison.Ordinal) || name.StartsWith("HubPerf", StringComparison.Ordinal));

    [Fact]
    public void KnownIn_FolderWithArrows_FindsThem() => Assert.Contains("Codec", KnownIn("src/PerfCommon/Domains"));

    // The folders of the library that a folder's sources name, in a using line or in full.
    private static HashSet<string> KnownIn(string folder) =>
        [.. SourcesIn(folder).SelectMany(text => LibraryName().Matches(text)).Select(match => match.Groups[1].Value)];

    private static IEnumerable<string> UsedNamespaces(string text) => UsingLine().Matches(text).Select(match => match.Groups[1].Value);

    private static IEnumerable<string> SourcesIn(string folder) =>
        Repository.SourceFiles(folder).Select(path => DocComment().Replace(File.ReadAllText(path), ""));

    private static IEnumerable<string> FoldersIn(string folder) =>
        Directory.EnumerateDirectories(Path.Combine(Repository.Root, folder)).Select(path => Path.GetFileName(path))
            .Where(name => name is not ("bin" or "obj") && Repository.SourceFiles($"{folder}/{name}").Any()).Order(StringComparer.Ordinal);

    [GeneratedRegex(@"\bPerfCommon\.(\w+)")]
    private static partial Regex LibraryName();

    [GeneratedRegex(@"^\s*(?:global\s+)?using\s+(?:static\s+)?(?:\w+\s*=\s*)?([\w.]+)\s*;", RegexOptions.Multiline)]
    private static partial Regex UsingLine();

    [GeneratedRegex(@"^\s*///.*$", RegexOptions.Multiline)]
    private static partial Regex DocComment();
}
