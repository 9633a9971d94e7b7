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
        string[] files = [.. Rooms.SelectMany(room => Directory.EnumerateFiles(Path.Combine(Root, room), "*.cs", SearchOption.AllDirectories))
            .Where(file => !file.Split(Path.DirectorySeparatorChar).Contains("obj"))];
        Assert.InRange(files.Length, 500, 2_000);
        Assert.Empty(files.SelectMany(file => StopWords.InStringsOf(File.ReadAllText(file)).Select(word => $"{Path.GetRelativePath(Root, file)}: {word}")));
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
    public void StopWords_InAText_AreFound(string text, string word) => Assert.StartsWith($"'{word}'", Assert.Single(StopWords.In(text)), StringComparison.Ordinal);

    [Theory]
    [InlineData("    Fail($\"{name} was told\");", 1)]
    [InlineData("    // \"is told\"", 0)]
    [InlineData("    Set(\"--meet-timeout\", Beside());", 0)]
    [InlineData("    Say($\"{x.Beside()} stands\");", 1)]
    public void StopWords_InStringsOfASource_AreFound(string source, int count) => Assert.Equal(count, StopWords.InStringsOf(source).Count());

    [Fact]
    public void Prose_OfAPage_IsWithoutCode() =>
        Assert.Equal("A `x` of\n\n[page].", Prose.Of("A `so many` of\n```\nbehind\n```\n[page](docs/behind.md).").ReplaceLineEndings("\n"));
}
