using PerfTools.Machine;
using PerfTools.Processes;
using PerfTools.Results.Documents;
using Xunit;

namespace Tools.Tests.PerfToolsTests;

/// <summary>How programs are found in a folder: of either form, alone or all in one.</summary>
[Trait("Category", "Fast")]
public sealed class ToolFolderTests : IDisposable
{
    private readonly TestFolder _folder = new();

    [Fact]
    public void Find_FilesOfTheRuntime_AreExecutedByIt()
    {
        Place("ProvPerf.dll", "ProvPerf", "perftools", "perftools.dll");

        (string file, string starter, IReadOnlyList<string> words) = ToolFolder.Find(_folder.FullPath, "ProvPerf");

        Assert.Equal(_folder.PathOf("ProvPerf.dll"), file);
        Assert.Equal("dotnet", Path.GetFileNameWithoutExtension(starter));
        Assert.Equal(["exec", file], words);
    }

    [Fact]
    public void Find_NativeProgram_StartsItself()
    {
        Place("ProvPerf");

        (string file, string starter, IReadOnlyList<string> words) = ToolFolder.Find(_folder.FullPath, "ProvPerf");

        Assert.Equal((_folder.PathOf("ProvPerf"), _folder.PathOf("ProvPerf")), (file, starter));
        Assert.Empty(words);
    }

    [Fact]
    public void ForProgram_AllInOne_IsToldItsRole()
    {
        Place("perftools");

        RoleCommand provider = RoleCommand.ForProgram("provider", "ProvPerf", ["-p", "0"], _folder.FullPath);
        RoleCommand hub = RoleCommand.ForProgram("hub", "HubPerf", [], _folder.FullPath);
        RoleCommand itself = RoleCommand.ForProgram("perftools", "perftools", ["items"], _folder.FullPath);

        Assert.Equal((_folder.PathOf("perftools"), null), (provider.FileName, provider.Variable));
        Assert.Equal(["provperf", "-p", "0"], provider.Arguments);
        Assert.Equal(("DOTNET_GCConserveMemory", "0"), hub.Variable);
        Assert.Equal(["items"], itself.Arguments);
    }

    [Fact]
    public void Find_NothingThere_NamesTheFileThatIsMissing() =>
        Assert.Equal(_folder.PathOf("ProvPerf.dll"), ToolFolder.Find(_folder.FullPath, "ProvPerf").File);

    [Fact]
    public void ReadVersion_NativeProgram_IsAsked()
    {
        Assert.SkipWhen(OperatingSystem.IsWindows(), "a shell script stands for the program");
        File.WriteAllText(_folder.PathOf("perftools"), "#!/bin/sh\necho perftools 1.2.3\n");
        if (!OperatingSystem.IsWindows())
            File.SetUnixFileMode(_folder.PathOf("perftools"), UnixFileMode.UserRead | UnixFileMode.UserExecute);
        Assert.Equal(("1.2.3", null), ToolFolder.ReadVersion(_folder.FullPath));
    }

    [Fact]
    public void ReadVersion_OfThisProgram_IsThatOfItsFile()
    {
        MachineDescription own = ThisMachine.Description, there = own.WithTools(AppContext.BaseDirectory);

        Assert.Equal((there.ToolsVersion, there.Commit), (own.ToolsVersion, own.Commit));
        Assert.NotNull(own.ToolsVersion);
    }

    [Fact]
    public void Verbs_OfTheRoles_AreAllAndNoneBesides()
    {
        Assert.Equal(ToolTable.Roles.Keys.Select(RolePrograms.VerbOf).Order(), RolePrograms.Verbs.Order());
        Assert.True(RolePrograms.TryFind(["provperf", "-version"], out _));
        Assert.False(RolePrograms.TryFind(["run", "provperf"], out _));
        Assert.False(RolePrograms.TryFind([], out _));
    }

    public void Dispose() => _folder.Dispose();

    private void Place(params string[] names)
    {
        foreach (string name in names)
            File.WriteAllText(_folder.PathOf(name), "");
    }
}
