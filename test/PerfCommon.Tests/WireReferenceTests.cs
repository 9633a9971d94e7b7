using System.Text.RegularExpressions;
using Xunit;

namespace PerfCommon.Tests;

/// <summary>
/// Checks the references from code to the sections of docs/wire (<c>// wire/rwf 4.4</c>): reads both, and fails on a reference without
/// a target.
/// </summary>
public partial class WireReferenceTests
{
    private const int MinReferences = 670;

    private static readonly string[] SourceFolders = ["src", "tools"];

    private static readonly Dictionary<string, string[]> SectionsByDocument = DocumentFiles().ToDictionary(NameOf, SectionsOf);

    public static TheoryData<string> Documents => new(DocumentFiles().Select(NameOf));

    [Theory]
    [MemberData(nameof(Documents))]
    public void Document_NumbersOfSections_AreThereOnce(string document)
    {
        string[] sections = SectionsByDocument[document];
        Assert.NotEmpty(sections);
        Assert.Empty(sections.GroupBy(number => number).Where(same => same.Count() > 1).Select(same => same.Key));
    }

    [Fact]
    public void Reference_OfTheCode_LeadsToASection() => Assert.Empty(References().Where(LeadsNowhere).Select(Show));

    [Fact]
    public void References_AreNotFewerThanBefore() => Assert.InRange(References().Count(), MinReferences, int.MaxValue);

    // A mention in another form would escape the test above.
    [Fact]
    public void Mention_OfADocument_HasTheOneForm()
    {
        string[] others =
            [.. Lines().Where(line =>
                Mention().IsMatch(line.Text) && !Reference().IsMatch(line.Text)).Select(line => $"{line.Place}: {line.Text.Trim()}")];
        Assert.Empty(others);
    }

    [Theory]
    [InlineData("        return 0; // wire/rwf 4.99")]
    [InlineData("// wire/nowhere 1")]
    public void Reference_ThatLeadsNowhere_IsFound(string line)
    {
        Match match = Reference().Match(line);
        Assert.True(LeadsNowhere(new("", match.Groups[1].Value, match.Groups[2].Value)));
    }

    private static bool LeadsNowhere(WireReference reference) =>
        !SectionsByDocument.TryGetValue(reference.Document, out string[]? sections) || !sections.Contains(reference.Section);

    private static string Show(WireReference reference) => $"{reference.Place}: wire/{reference.Document} {reference.Section}";

    private static IEnumerable<WireReference> References() =>
        from line in Lines()
        let match = Reference().Match(line.Text)
        where match.Success
        select new WireReference(line.Place, match.Groups[1].Value, match.Groups[2].Value);

    private static IEnumerable<(string Place, string Text)> Lines() =>
        from folder in SourceFolders
        from file in Repository.SourceFiles(folder)
        from line in File.ReadLines(file).Index()
        select ($"{Path.GetRelativePath(Repository.Root, file)}({line.Index + 1})", line.Item);

    private static IEnumerable<string> DocumentFiles() =>
        Directory.EnumerateFiles(Path.Combine(Repository.Root, "docs", "wire"), "*.md").Where(path => NameOf(path) != "README");

    private static string NameOf(string path) => Path.GetFileNameWithoutExtension(path);

    private static string[] SectionsOf(string path) =>
        [.. Heading().Matches(File.ReadAllText(path)).Select(match => match.Groups[1].Value)];

    [GeneratedRegex(@"^##+ (\d+(?:\.\d+)?)\b", RegexOptions.Multiline)]
    private static partial Regex Heading();

    [GeneratedRegex(@"// wire/(\w+) (\d+(?:\.\d+)?)$")]
    private static partial Regex Reference();

    [GeneratedRegex(@"\bwire/(transport|rwf|domains|\w+ \d)")]
    private static partial Regex Mention();

    private sealed record WireReference(string Place, string Document, string Section);
}
