namespace PerfCommon.Tests.MsgData;

/// <summary>A file with this text, deleted after the test.</summary>
internal sealed class TemporaryFile : IDisposable
{
    public TemporaryFile(string text)
    {
        Path = System.IO.Path.Combine(System.IO.Path.GetTempPath(), System.IO.Path.GetRandomFileName() + ".xml");
        File.WriteAllText(Path, text);
    }

    public string Path { get; }

    public void Dispose() => File.Delete(Path);
}
