using Xunit;

namespace PerfCommon.Tests;

/// <summary>The channel, its opening and its waiting are independent of the code that polls many of them.</summary>
public class ClassShapeTests
{
    private static readonly string Folder = Path.Combine(Repository.Root, "src", "PerfCommon");

    // The poller uses its channels and its waiter; neither of them uses it, or the other.
    [Theory]
    [InlineData("Transport/RsslChannel*.cs", "ChannelPoller", "Waiter")]
    [InlineData("Transport/Opening/*.cs", "ChannelPoller", "RsslChannel")]
    [InlineData("Transport/Waiting/*.cs", "ChannelPoller", "RsslChannel")]
    [InlineData("Transport/Network/Memory*.cs", "ChannelPoller", "RsslChannel")]
    public void Files_OfOneSide_DoNotNameTheOther(string files, string one, string other)
    {
        string[] found = [.. Directory.GetFiles(Folder, files)
            .Where(path => File.ReadLines(path).Where(line => !line.TrimStart().StartsWith("//", StringComparison.Ordinal))
                .Any(line => line.Contains($"{one} ", StringComparison.Ordinal) || line.Contains($"{other} ", StringComparison.Ordinal)))];
        Assert.Empty(found);
        Assert.NotEmpty(Directory.GetFiles(Folder, files));
    }
}
