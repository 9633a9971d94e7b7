using PerfTools;
using Xunit;

namespace Tools.Tests.PerfToolsTests;

/// <summary>Several runs by one command, with real roles.</summary>
[Collection("processes")]
public sealed class RunRepeatTests : IDisposable
{
    private readonly TestFolder _folder = new();

    [Fact(Timeout = 60_000)]
    public async Task Run_Repeated_LeavesAFolderEachAndSaysWhatTheyComeToTogether()
    {
        using StringWriter output = new(), error = new();
        string[] args = ["run", "transport", "--rate", "5000", "--seconds", "1", "--repeat", "2", "--json", "-", "--junit", _folder.PathOf("j.xml"), "--markdown", _folder.PathOf("m.md")];
        int code = await Task.Run(() => Program.Run([.. args, "--out", _folder.PathOf("all")], output, error), TestContext.Current.CancellationToken);

        Assert.True(code is 0 or 6, $"exit code {code}: {error}"); // 6: the machine was too busy for the rate
        Assert.Equal(["run-1", "run-2"], Directory.GetDirectories(_folder.PathOf("all")).Select(Path.GetFileName).Order());
        Assert.Contains("Together, 2 runs", error.ToString(), StringComparison.Ordinal);
        Assert.Equal(File.ReadAllText(_folder.PathOf("all/run-1/run.json")) + File.ReadAllText(_folder.PathOf("all/run-2/run.json")), output.ToString());
        Assert.Contains("<testsuite name=\"perftools run transport\" tests=\"2\"", File.ReadAllText(_folder.PathOf("j.xml")), StringComparison.Ordinal);
        Assert.Contains("| 2 runs together |", File.ReadAllText(_folder.PathOf("m.md")), StringComparison.Ordinal);
        Assert.False(File.Exists(_folder.PathOf("all/run.json")));

        using StringWriter compared = new();
        Assert.Equal(0, Program.Run(["compare", _folder.PathOf("all"), _folder.PathOf("all")], compared, error));
        Assert.EndsWith("\nSAME\n", compared.ToString(), StringComparison.Ordinal);
    }

    public void Dispose() => _folder.Dispose();
}
