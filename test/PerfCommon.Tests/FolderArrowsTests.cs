using System.Text.RegularExpressions;
using Xunit;

namespace PerfCommon.Tests;

/// <summary>Who may know whom: reads the sources of every folder and fails on an arrow that is not in the list.</summary>
public partial class FolderArrowsTests
{
    private static readonly Dictionary<string, string[]> LibraryArrows = new()
    {
        ["Codec"] = [],
        ["Measurement"] = [],
        ["Transport"] = ["Measurement"], // the clock
        ["Domains"] = ["Codec"],
        ["MsgData"] = ["Domains", "Codec"],
        ["Workers"] = ["Transport", "Measurement"],
        ["Sessions"] = ["Workers", "Transport", "MsgData", "Domains", "Codec", "Measurement"],
        ["Reactor"] = ["Sessions", "Workers", "Transport", "MsgData", "Domains", "Codec", "Measurement"],
    };

    // Of the hall around the tools: whom of the library, and whom of the hall.
    private static readonly Dictionary<string, string[]> HostingArrows = new()
    {
        ["CommandLine"] = ["Options"], // the values of rows: rates, passwords
        // Measurement: rate profiles; MsgData: where input files are looked for
        ["Options"] = ["Workers", "Measurement", "Transport", "MsgData", "CommandLine"],
        ["Reporting"] = ["Workers", "Measurement", "Options"], // what a result must keep
        ["Control"] = ["Workers", "CommandLine", "Options", "Reporting"], // Workers: whose rates are changed
        ["Running"] = ["Reactor", "Workers", "Measurement", "CommandLine", "Options", "Reporting", "Control"],
    };

    // Of the rooms of HubPerf: whom of the others.
    private static readonly Dictionary<string, string[]> HubArrows = new()
    {
        ["Rings"] = [],
        ["Cache"] = [],
        ["Services"] = [],
        ["Tuning"] = [],
        ["Memory"] = [],
        ["Sources"] = ["Rings", "Cache", "Services", "Tuning", "Memory"],
        ["Delivery"] = ["Rings", "Cache", "Services", "Tuning", "Memory", "Sources"], // the other ends of its rings
    };

    // Of the rooms of LatencyPerf: whom of the others.
    private static readonly Dictionary<string, string[]> LatencyArrows = new()
    {
        ["Protocol"] = [], // conversations without input and output
        ["Links"] = ["Protocol"],
        ["Rounds"] = ["Protocol", "Links"],
        ["Results"] = ["Protocol", "Rounds"],
    };

    // Of the rooms of the results: whom of the others.
    private static readonly Dictionary<string, string[]> ResultsArrows = new()
    {
        ["Files"] = [],
        ["Documents"] = ["Files"],
        ["Recorded"] = ["Files", "Documents"],
        ["Comparison"] = ["Files", "Documents", "Recorded"],
        ["Merging"] = ["Files", "Documents"],
        ["Guide"] = ["Files"],
    };

    private static readonly string[] MeaningOfMessages = ["Codec", "Domains", "MsgData"];

    public static TheoryData<string> LibraryFolders => new(FoldersIn("src/PerfCommon"));

    public static TheoryData<string> HostingFolders => new(FoldersIn("src/PerfTools.Hosting"));

    public static TheoryData<string> ResultsFolders => new(FoldersIn("src/PerfTools.Results"));

    public static TheoryData<string> HubFolders => new(FoldersIn("tools/HubPerf"));

    public static TheoryData<string> LatencyFolders => new(FoldersIn("tools/LatencyPerf"));

    public static TheoryData<string> Tools => new(FoldersIn("tools"));

    [Theory]
    [MemberData(nameof(LibraryFolders))]
    public void LibraryFolder_KnowsOnlyWhomItMay(string folder)
    {
        Assert.True(LibraryArrows.TryGetValue(folder, out string[]? allowed), $"src/PerfCommon/{folder} is new: say here whom it may know");
        string[] forbidden = [.. KnownIn($"src/PerfCommon/{folder}").Except(allowed).Where(known => known != folder)];
        Assert.True(forbidden.Length == 0, $"{folder} must not know {string.Join(", ", forbidden)}");
    }

    [Theory]
    [MemberData(nameof(HostingFolders))]
    public void HostingFolder_KnowsOnlyWhomItMay(string folder)
    {
        Assert.True(HostingArrows.TryGetValue(folder, out string[]? allowed),
            $"src/PerfTools.Hosting/{folder} is new: say here whom it may know");
        string path = $"src/PerfTools.Hosting/{folder}";
        string[] forbidden = [.. KnownIn(path).Concat(KnownOfHostingIn(path)).Except(allowed).Where(known => known != folder)];
        Assert.True(forbidden.Length == 0, $"{folder} must not know {string.Join(", ", forbidden)}");
    }

    [Theory]
    [MemberData(nameof(ResultsFolders))]
    public void ResultsFolder_KnowsOnlyWhomItMay(string folder)
    {
        string path = $"src/PerfTools.Results/{folder}";
        Assert.True(ResultsArrows.TryGetValue(folder, out string[]? allowed), $"{path} is new: say here whom it may know");
        string[] forbidden = [.. SourcesIn(path).SelectMany(text => ResultsName().Matches(text)).Select(match => match.Groups[1].Value)
            .Distinct().Where(known => ResultsArrows.ContainsKey(known) && known != folder).Except(allowed)];
        Assert.True(forbidden.Length == 0, $"{folder} must not know {string.Join(", ", forbidden)}");
        Assert.Empty(KnownIn(path).Except(["Measurement"]).Concat(KnownOfHostingIn(path)));
    }

    [Theory]
    [MemberData(nameof(HubFolders))]
    public void HubFolder_KnowsOnlyWhomItMay(string folder)
    {
        Assert.True(HubArrows.TryGetValue(folder, out string[]? allowed), $"tools/HubPerf/{folder} is new: say here whom it may know");
        string[] forbidden = [.. SourcesIn($"tools/HubPerf/{folder}").SelectMany(text => HubName().Matches(text))
            .Select(match =>
                match.Groups[1].Value).Distinct().Where(known => HubArrows.ContainsKey(known) && known != folder).Except(allowed)];
        Assert.True(forbidden.Length == 0, $"{folder} must not know {string.Join(", ", forbidden)}");
    }

    [Theory]
    [MemberData(nameof(LatencyFolders))]
    public void LatencyFolder_KnowsOnlyWhomItMay(string folder)
    {
        Assert.True(LatencyArrows.TryGetValue(folder, out string[]? allowed),
            $"tools/LatencyPerf/{folder} is new: say here whom it may know");
        string[] forbidden = [.. SourcesIn($"tools/LatencyPerf/{folder}").SelectMany(text => LatencyName().Matches(text))
            .Select(match =>
                match.Groups[1].Value).Distinct().Where(known => LatencyArrows.ContainsKey(known) && known != folder).Except(allowed)];
        Assert.True(forbidden.Length == 0, $"{folder} must not know {string.Join(", ", forbidden)}");
    }

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

    [Fact]
    public void TransportPerf_KnowsNoMessages() =>
        Assert.Empty(KnownIn("tools/TransportPerf").Intersect(MeaningOfMessages));

    [Fact]
    public void KnownIn_FolderWithArrows_FindsThem() => Assert.Contains("Codec", KnownIn("src/PerfCommon/Domains"));

    // The folders of the library that a folder's sources name, in a using line or in full.
    private static HashSet<string> KnownIn(string folder) =>
        [.. SourcesIn(folder).SelectMany(text =>
            LibraryName().Matches(text)).Select(match => match.Groups[1].Value).Where(LibraryArrows.ContainsKey)];

    private static IEnumerable<string> KnownOfHostingIn(string folder) =>
        SourcesIn(folder).SelectMany(text =>
            HostingName().Matches(text)).Select(match => match.Groups[1].Value).Where(HostingArrows.ContainsKey).Distinct();

    private static IEnumerable<string> UsedNamespaces(string text) => UsingLine().Matches(text).Select(match => match.Groups[1].Value);

    private static IEnumerable<string> SourcesIn(string folder) =>
        Repository.SourceFiles(folder).Select(path => DocComment().Replace(File.ReadAllText(path), ""));

    private static IEnumerable<string> FoldersIn(string folder) =>
        Directory.EnumerateDirectories(Path.Combine(Repository.Root, folder)).Select(path => Path.GetFileName(path))
            .Where(name => name is not ("bin" or "obj") && Repository.SourceFiles($"{folder}/{name}").Any()).Order(StringComparer.Ordinal);

    [GeneratedRegex(@"\bPerfTools\.Hosting\.(\w+)")]
    private static partial Regex HostingName();

    [GeneratedRegex(@"\bPerfTools\.Results\.(\w+)")]
    private static partial Regex ResultsName();

    [GeneratedRegex(@"\bLatencyPerf\.(\w+)")]
    private static partial Regex LatencyName();

    [GeneratedRegex(@"\bHubPerf\.(\w+)")]
    private static partial Regex HubName();

    [GeneratedRegex(@"\bPerfCommon\.(\w+)")]
    private static partial Regex LibraryName();

    [GeneratedRegex(@"^\s*(?:global\s+)?using\s+(?:static\s+)?(?:\w+\s*=\s*)?([\w.]+)\s*;", RegexOptions.Multiline)]
    private static partial Regex UsingLine();

    [GeneratedRegex(@"^\s*///.*$", RegexOptions.Multiline)]
    private static partial Regex DocComment();
}
