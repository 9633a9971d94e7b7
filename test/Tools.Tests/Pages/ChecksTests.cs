using System.Text.RegularExpressions;
using Xunit;

namespace Tools.Tests.Pages;

/// <summary>Each script under test/ has a row in docs/develop/testing.md, which is what test/check lists.</summary>
[Trait("Category", "Fast")]
public partial class ChecksTests
{
    private static readonly string[] Sourced = ["hostile", "port-of"]; // no checks: others read them

    [Fact]
    public void Table_OfTestingPage_HasEveryScript()
    {
        string test = Path.Combine(RepositoryRoot.FullPath, "test");
        string page = File.ReadAllText(Path.Combine(RepositoryRoot.FullPath, "docs/develop/testing.md"));
        IEnumerable<string> scripts = Directory.GetFiles(test, "*.sh").Select(path => Path.GetFileNameWithoutExtension(path)).Except(Sourced)
            .Concat(["benchmarks", "rt-floor", "rt-stream"]);
        Assert.Equal(scripts.Order(StringComparer.Ordinal), CheckRow().Matches(page).Select(row => row.Groups[1].Value).Order(StringComparer.Ordinal));
    }

    [GeneratedRegex(@"^\| `([a-z][a-z-]+)` \|", RegexOptions.Multiline)]
    private static partial Regex CheckRow();
}
