using System.Text.RegularExpressions;
using DocsSite;
using Xunit;

namespace Tools.Tests.Pages;

/// <summary>The pages as docs/site.sh takes them: every link leads somewhere, every page is found, every public member has a place.</summary>
public partial class LinksTests
{
    private static readonly Site Whole = Site.Load(RepositoryRoot.FullPath);

    [Fact]
    public void Links_OfAllPages_LeadToAFileAndAHeading() => Assert.Empty(Links.FindBroken(Whole));

    [Fact]
    public void Pages_AllOfThem_AreThreeLinksFromReadmeAtMost()
    {
        HashSet<string> reached = ["README.md"];
        for (int i = 0; i < 3; i++)
            reached.UnionWith(reached.SelectMany(Links.TargetsOf(Whole)).ToArray());
        Assert.DoesNotContain(Whole.Pages.Select(page => page.Path).Except(reached),
            path => !path.StartsWith("docs/api/", StringComparison.Ordinal) && path.StartsWith("docs/", StringComparison.Ordinal));
    }

    [Fact]
    public void Api_OfTheLibrary_HasEveryPublicTypeAndMember()
    {
        HashSet<string> headings = [.. ApiPages.Create().SelectMany(page => page.Text.Split('\n')).Where(line => line.StartsWith('#'))
            .Select(line => Generics().Replace(line.TrimStart('#', ' '), ""))];
        string[] approved = [.. File.ReadLines(Path.Combine(RepositoryRoot.FullPath, "src/PerfCommon/PublicAPI.Shipped.txt"))
            .Where(line => !OfRecords().IsMatch(line))];
        Assert.InRange(approved.Length, 500, 5000);
        Assert.Empty(approved.Select(NameOf).Distinct().Except(headings));
    }

    [Fact]
    public void Write_OfTheSite_MakesAFileOfEachPageWithoutABrokenLink()
    {
        using RunDirectory folder = new();
        Site.Load(RepositoryRoot.FullPath).Write(folder.Path);
        Assert.Equal(Whole.Pages.Count, Directory.GetFiles(folder.Path, "*.html", SearchOption.AllDirectories).Length);
        Assert.True(File.Exists(Path.Combine(folder.Path, "docs/report.png")));
        Assert.DoesNotContain(".md\"", File.ReadAllText(Path.Combine(folder.Path, "index.html")), StringComparison.Ordinal);
    }

    // "PerfCommon.Codec.DataType.Int = 3 -> PerfCommon.Codec.DataType" is the heading "DataType.Int"
    private static string NameOf(string line)
    {
        string signature = Generics().Replace(Accessor().Replace(Signature().Match(line).Value, ""), "");
        string[] parts = [.. Namespace().Replace(signature, "").Split('.')];
        return parts is [.., var type, var member] && type == member ? $"{type} constructor" : string.Join('.', parts);
    }

    [GeneratedRegex(@"PerfCommon\..*?(?=\(| = | ->|$)")]
    private static partial Regex Signature();

    // What the compiler writes into records and structs, and the first line of the file.
    [GeneratedRegex(@"^#|<Clone>\$|EqualityContract|PrintMembers|\b(\w+)\.\1\(\) ->|\.(Deconstruct|Equals|GetHashCode|ToString)\(|operator ")]
    private static partial Regex OfRecords();

    [GeneratedRegex(@"\.(get|set|init)$")]
    private static partial Regex Accessor();

    [GeneratedRegex("<[^>]*>")]
    private static partial Regex Generics();

    [GeneratedRegex(@"^PerfCommon\.((Codec|Domains|Measurement|MsgData|Reactor|Sessions|Transport|Workers)\.)?((Proxy|Tls)\.)?")]
    private static partial Regex Namespace();
}
