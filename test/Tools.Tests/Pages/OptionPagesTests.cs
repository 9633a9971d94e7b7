using Xunit;

namespace Tools.Tests.Pages;

/// <summary>docs/options is what the option tables say. With PERFTOOLS_WRITE_PAGES set (docs/make.sh) the pages are written.</summary>
[Trait("Category", "Fast")]
public class OptionPagesTests
{
    public static TheoryData<string> Files => new(OptionPages.ByFile.Keys);

    [Theory]
    [MemberData(nameof(Files))]
    public void Page_OfATool_IsThatOfItsTable(string file)
    {
        string path = Path.Combine(OptionPages.Folder, file);
        string expected = OptionPages.ByFile[file]();
        if (Environment.GetEnvironmentVariable("PERFTOOLS_WRITE_PAGES") is { Length: > 0 })
        {
            Directory.CreateDirectory(OptionPages.Folder);
            File.WriteAllText(path, expected);
        }

        Assert.True(File.Exists(path) && File.ReadAllText(path).ReplaceLineEndings("\n") == expected,
            $"docs/options/{file} is not that of the option table: run docs/make.sh");
    }

    [Fact]
    public void Folder_HasNoOtherPage() =>
        Assert.Equal(OptionPages.ByFile.Keys.Order(), Directory.GetFiles(OptionPages.Folder).Select(Path.GetFileName).Order());
}
