using PerfTools.Hosting.Options;
using Xunit;

namespace PerfCommon.Tests.Hosting.Options;

public sealed class SecretTests
{
    private const string Variable = "PERFTOOLS_TEST_SECRET";

    [Fact]
    public void Reveal_Text_IsItself() => Assert.Equal("pass", new Secret("pass", Variable).Reveal());

    [Fact]
    public void Reveal_AtFile_ReadsItWithoutLineEnd()
    {
        string path = Path.GetTempFileName();
        File.WriteAllText(path, "hidden\n");
        Assert.Equal("hidden", new Secret("@" + path, Variable).Reveal());
        File.Delete(path);
    }

    [Fact]
    public void Reveal_NoSuchFile_IsAnInputFileProblem() =>
        Assert.Equal(SetupProblem.InputFile, Assert.Throws<SetupException>(() => new Secret("@/no/such/file", Variable).Reveal()).Problem);

    [Fact]
    public void Reveal_NothingGiven_AsksTheEnvironment()
    {
        Environment.SetEnvironmentVariable(Variable, "from there");
        Assert.Equal("from there", new Secret(null, Variable).Reveal());
        Environment.SetEnvironmentVariable(Variable, null);
        Assert.Null(new Secret(null, Variable).Reveal());
    }

    [Fact]
    public void ToString_Given_DoesNotShowIt() =>
        Assert.DoesNotContain("pass", new Secret("pass", Variable).ToString(), StringComparison.Ordinal);
}
