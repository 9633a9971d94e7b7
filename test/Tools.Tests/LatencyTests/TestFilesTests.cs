using LatencyPerf;
using LatencyPerf.Results;
using Tools.Tests.PerfToolsTests;
using Xunit;

namespace Tools.Tests.LatencyTests;

[Trait("Category", "Fast")]
public sealed class TestFilesTests : IDisposable
{
    private readonly TestFolder _folder = new();

    [Fact]
    public void WriteLines_WithRotate_TurnsTheJsonLinesAtAWholeLine()
    {
        string path = _folder.PathOf("l.jsonl");
        using (TestFiles files = new(OptionLines.Accept(LatencyPerfOptionTable.Instance, $"-publish -jsonFile {path} -rotate 1KB,2")))
            files.WriteLines([.. Enumerable.Range(0, 4).Select(i => (Action<Stream>)(stream => stream.Write(Line(i))))]);
        Assert.Equal([3, 2, 1], ((string[])["", ".1", ".2"]).Select(end => File.ReadAllBytes(path + end)[0] - '0'));
        Assert.False(File.Exists(path + ".3"));
    }

    public void Dispose() => _folder.Dispose();

    private static byte[] Line(int number) => [(byte)('0' + number), .. new byte[700], (byte)'\n'];
}
