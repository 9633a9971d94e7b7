using DocsSite;
using Xunit;

namespace Tools.Tests.Pages;

/// <summary>Texts for users are in the field's English: no idiom of ours, short sentences, lines that fit.</summary>
[Trait("Category", "Fast")]
public class WordsTests
{
    private const int MaxWords = 25;
    private const int MaxReadmeLines = 150;
    private const int MaxReadmeColumns = 120;
    private static readonly string[] Rooms = ["src", "tools"];
    private static readonly string Root = RepositoryRoot.FullPath;
    private static readonly string Readme = Path.Combine(Root, "README.md");

    public static TheoryData<string> Pages => new(Directory.GetFiles(Path.Combine(Root, "docs"), "*.md", SearchOption.AllDirectories)
        .Concat(Directory.GetFiles(Root, "*.md").Where(path => Path.GetFileName(path) != "CHANGELOG.md")).Concat(PackageReadmeTests.Files)
        .Select(path => Path.GetRelativePath(Root, path)));

    public static TheoryData<string> Projects => new(((string[])[.. Rooms, "test"]).SelectMany(room => Directory.GetFiles(Path.Combine(Root, room), "*.csproj",
        SearchOption.AllDirectories)).Select(file => Path.GetRelativePath(Root, Path.GetDirectoryName(file)!)));

    public static TheoryData<string> Tools => new(ToolTable.Roles.Keys);

    [Theory]
    [MemberData(nameof(Pages))]
    public void Words_OfAPage_AreThoseOfTheField(string page) => Assert.Empty(StopWords.In(Prose.Of(File.ReadAllText(Path.Combine(Root, page)))));

    [Theory]
    [MemberData(nameof(Tools))]
    public void Words_OfHelp_AreThoseOfTheField(string tool) =>
        Assert.Empty(ToolTable.Roles[tool].HelpRows.SelectMany(row => StopWords.In(row.Help)).Distinct());

    [Fact]
    public void Words_OfPublicDocstrings_AreThoseOfTheField()
    {
        IReadOnlyList<(string Name, string Text)> pages = ApiPages.Create();
        Assert.Contains(pages, page => page.Text.Contains("The state of the channel.", StringComparison.Ordinal));
        Assert.Contains(pages, page => page.Text.Contains("The results of one role", StringComparison.Ordinal));
        Assert.Empty(pages.SelectMany(page => StopWords.In(Prose.Of(page.Text)).Select(word => $"{page.Name}: {word}")));
    }

    [Fact]
    public void Words_OfMessages_AreThoseOfTheField()
    {
        string[] files = FindSources(Rooms);
        Assert.InRange(files.Length, 500, 2_000);
        Assert.Empty(files.SelectMany(file => StopWords.InStringsOf(File.ReadAllText(file)).Select(word => $"{Path.GetRelativePath(Root, file)}: {word}")));
    }

    [Theory]
    [MemberData(nameof(Projects))]
    public void Words_OfComments_AreThoseOfTheField(string project)
    {
        string[] files = FindSources([project]);
        Assert.NotEmpty(files);
        Assert.Empty(files.SelectMany(file => StopWords.InCommentsOf(File.ReadAllText(file)).Select(word => $"{Path.GetRelativePath(Root, file)}:{word}")));
    }

    [Fact]
    public void Readme_IsShortAndItsLinesFit()
    {
        string[] lines = File.ReadAllLines(Readme);
        Assert.InRange(lines.Length, 50, MaxReadmeLines);
        Assert.DoesNotContain(lines, line => line.Length > MaxReadmeColumns && !line.StartsWith('|'));
    }

    [Fact]
    public void Sentences_OfReadme_AreShort() =>
        Assert.DoesNotContain(Prose.Sentences(Prose.Of(File.ReadAllText(Readme))), sentence => Prose.CountWords(sentence) > MaxWords);

    [Theory]
    [MemberData(nameof(Tools))]
    public void Sentences_OfHelp_AreShort(string tool) => Assert.DoesNotContain(
        ToolTable.Roles[tool].HelpRows.SelectMany(row => Prose.Sentences(row.Help)), sentence => Prose.CountWords(sentence) > MaxWords);

    [Theory]
    [InlineData("It says what came of it.", "came of")]
    [InlineData("An item is told once.", "is told")]
    [InlineData("A reader that is behind is cut.", "behind")]
    public void StopWords_InAText_AreFound(string text, string word) =>
        Assert.StartsWith($"'{word}'", Assert.Single(StopWords.In(text)), StringComparison.Ordinal);

    [Theory]
    [InlineData("    Fail($\"{name} was told\");", 1)]
    [InlineData("    // \"is told\"", 0)]
    [InlineData("    Set(\"--meet-timeout\", Beside());", 0)]
    [InlineData("    Say($\"{x.Beside()} stands\");", 1)]
    public void StopWords_InStringsOfASource_AreFound(string source, int count) => Assert.Equal(count, StopWords.InStringsOf(source).Count());

    [Theory]
    [InlineData("// It is told.", "1: 'is told' in 'It is told.'")]
    [InlineData("int a;\n/// <summary>It is\n/// told.</summary>\nint b;", "2: 'is told' in 'It is told.'")]
    public void StopWords_InCommentsOfASource_AreFound(string source, string expected) =>
        Assert.Equal(expected, Assert.Single(StopWords.InCommentsOf(source)));

    [Theory]
    [InlineData("a = \"http://x\";", "")]
    [InlineData("a = \"http://x\"; // b", "1: b")]
    [InlineData("a = \"\\\"// b\"; // c", "1: c")]
    [InlineData("a = @\"b\\\"; // c", "1: c")]
    [InlineData("a = $\"{b(\"//\")}// c\"; // d", "1: d")]
    [InlineData("a = \"\"\"\n// \"b\"\n\"\"\"; // c", "3: c")]
    [InlineData("a = '/'; b = '\"'; // c", "1: c")]
    [InlineData("a = b / c; /* d */ e = f; // g", "1: d|1: g")]
    [InlineData("/* a\n * b\n */", "1: a b")]
    [InlineData("// a\n// b\nc(); // d\n// e\n\n// f", "1: a b|3: d|4: e|6: f")]
    [InlineData("#pragma warning disable A // b", "1: b")]
    [InlineData("/// <summary>a\n/// b.</summary>\n/// <returns>c</returns>\n// d", "1: a b.|1: c|4: d")]
    [InlineData("/// <summary>a <see cref=\"B\"/>, <c>so many</c> <paramref name=\"d\"/>.</summary>", "1: a x, x x.")]
    public void Comments_OfASource_AreProseWithoutCode(string source, string expected) =>
        Assert.Equal(expected, string.Join('|', Comments.Of(source).Select(comment => $"{comment.Line}: {comment.Text}")));

    [Fact]
    public void Prose_OfAPage_IsWithoutCode() =>
        Assert.Equal("A `x` of\n\n[page].", Prose.Of("A `so many` of\n```\nbehind\n```\n[page](docs/behind.md).").ReplaceLineEndings("\n"));

    private static string[] FindSources(string[] rooms) =>
        [.. rooms.SelectMany(room => Directory.EnumerateFiles(Path.Combine(Root, room), "*.cs", SearchOption.AllDirectories))
            .Where(file => !file.Split(Path.DirectorySeparatorChar).Any(folder => folder is "obj" or "bin"))];
}
