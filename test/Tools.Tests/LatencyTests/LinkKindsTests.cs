using LatencyPerf.Links;
using LatencyPerf.Options;
using Xunit;

namespace Tools.Tests.LatencyTests;

/// <summary>A transport is the class of its link and a row of the table; nothing else names it.</summary>
[Trait("Category", "Fast")]
public class LinkKindsTests
{
    public static TheoryData<int> Numbers => [.. LinkKinds.All.Select(kind => kind.Number)];

    [Theory, MemberData(nameof(Numbers))]
    public void Transport_ByNumberAndByWord_IsItsRow(int number)
    {
        LinkKind kind = LinkKinds.Of(number);
        Assert.Same(kind, Accept($"{number}").Transport);
        Assert.Same(kind, Accept(kind.Word).Transport);
        Assert.Equal(kind.Name, LatencyPerfOptionTable.Instance.DescribeInputs(Accept(kind.Word)).First(input => input.Label == "Transport").Value);
    }

    [Fact]
    public void All_OfThem_HaveNamesOfTheirOwn()
    {
        Assert.Equal(LinkKinds.All.Count, LinkKinds.All.Select(kind => kind.Word).Distinct().Count());
        Assert.Equal(LinkKinds.All.Count, LinkKinds.All.Select(kind => kind.Name).Distinct().Count());
        Assert.Equal("1, 2 or 8", LinkKinds.Numbers(kind => !kind.IsStream));
        Assert.Equal("16", LinkKinds.Numbers(kind => kind.TakesTls));
        Assert.Equal("16 or rssl, 32 or tcp", LinkKinds.Words(kind => kind.IsStream));
    }

    [Fact]
    public void Links_OutsideTheirRoom_AreNamedNowhere()
    {
        string[] links = [.. typeof(ILink).Assembly.GetTypes().Where(type => type.IsClass && type.IsAssignableTo(typeof(ILink))).Select(type => type.Name)];
        string root = Path.Combine(RepositoryRoot.FullPath, "tools", "LatencyPerf");
        string[] sources = [.. Directory.EnumerateFiles(root, "*.cs", SearchOption.AllDirectories).Where(path =>
            Path.GetRelativePath(root, path).Split(Path.DirectorySeparatorChar)[0] is not ("Links" or "bin" or "obj"))];
        Assert.Contains("UdpLink", links);
        Assert.Contains(sources, path => path.EndsWith("PublisherTest.cs", StringComparison.Ordinal));
        Assert.Empty(from path in sources
                     let text = File.ReadAllText(path)
                     from link in links
                     where text.Contains(link, StringComparison.Ordinal)
                     select $"{Path.GetFileName(path)}: {link}");
    }

    private static LatencyPerfOptions Accept(string transport) =>
        OptionLines.Accept(LatencyPerfOptionTable.Instance, $"-publish -transport {transport}");
}
