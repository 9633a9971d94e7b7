using PerfCommon.MsgData;
using Xunit;

namespace PerfCommon.Tests.MsgData;

public class InputFileTests
{
    [Fact]
    public void Find_PathGiven_IsTaken()
    {
        using TemporaryFile file = new("");
        Assert.Equal(file.Path, InputFile.Find(file.Path, programFolder: Path.GetTempPath()));
    }

    [Fact]
    public void Find_BareName_IsLookedForBesideTheProgram()
    {
        using TemporaryFile file = new("");
        string folder = Path.GetDirectoryName(file.Path)!, name = Path.GetFileName(file.Path);
        Assert.Equal(file.Path, InputFile.Find(name, folder));
    }

    [Fact]
    public void Find_NameWithFolder_IsNotReplacedByTheProgramsOwn()
    {
        using TemporaryFile file = new("");
        string folder = Path.GetDirectoryName(file.Path)!, name = Path.GetFileName(file.Path);
        SetupException error = Assert.Throws<SetupException>(() => InputFile.Find(Path.Combine("elsewhere", name), folder));
        Assert.Equal(SetupProblem.InputFile, error.Problem);
        Assert.EndsWith("unable to find it, no such file", error.Message);
    }

    [Fact]
    public void Find_Nowhere_NamesBothPlaces() =>
        Assert.Contains("neither in ", Assert.Throws<SetupException>(() => InputFile.Find("no-such-file.xml", "/no-such-folder/")).Message);
}
