namespace Tools.Tests.PerfToolsTests;

/// <summary>A separate folder for one test, deleted afterwards.</summary>
internal sealed class TestFolder : IDisposable
{
    public string FullPath { get; } = Directory.CreateTempSubdirectory("perftools-test-").FullName;

    public string PathOf(string name) => Path.Combine(FullPath, name);

    public void Dispose() => Directory.Delete(FullPath, recursive: true);
}
