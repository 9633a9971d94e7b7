using Xunit;

namespace Tools.Tests.Pages;

/// <summary>Each package has a readme for those who install it: no clone, no link into the repository.</summary>
[Trait("Category", "Fast")]
public class PackageReadmeTests
{
    private static readonly string Root = RepositoryRoot.FullPath;

    public static TheoryData<string> Projects => new(Directory.GetFiles(Path.Combine(Root, "tools"), "*.csproj", SearchOption.AllDirectories)
        .Append(Path.Combine(Root, "src", "PerfCommon", "PerfCommon.csproj"))
        .Append(Path.Combine(Root, "src", "PerfHub", "PerfHub.csproj"))
        .Append(Path.Combine(Root, "src", "PerfTools.Results", "PerfTools.Results.csproj")).Select(path => Path.GetRelativePath(Root, path)));

    /// <summary>The readmes of all packages.</summary>
    internal static IEnumerable<string> Files => Projects.Select(row => Path.Combine(Root, Path.GetDirectoryName(row.Data)!, "README.md"));

    [Theory]
    [MemberData(nameof(Projects))]
    public void Readme_OfAPackage_IsForThoseWhoInstallIt(string project)
    {
        string text = File.ReadAllText(Path.Combine(Root, Path.GetDirectoryName(project)!, "README.md"));
        string package = Element(project, "PackageId");
        Assert.StartsWith($"# {package}\n", text.ReplaceLineEndings("\n"), StringComparison.Ordinal);
        Assert.Contains(project.StartsWith("tools", StringComparison.Ordinal) ? $"dotnet tool install --global {package}" : $"dotnet add package {package}",
            text, StringComparison.Ordinal);
        Assert.DoesNotContain("](", text, StringComparison.Ordinal);
        Assert.DoesNotContain("clone", text, StringComparison.Ordinal);
        Assert.InRange(Element(project, "Description").Length, 40, 140);
    }

    private static string Element(string project, string name)
    {
        string text = File.ReadAllText(Path.Combine(Root, project));
        return text.Split($"<{name}>")[1].Split('<')[0];
    }
}
