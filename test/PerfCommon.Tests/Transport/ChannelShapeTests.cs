using System.Reflection;
using PerfCommon.Transport;
using Xunit;

namespace PerfCommon.Tests.Transport;

/// <summary>A channel and those around it have one life each: what wants more fields or parts than these is two types.</summary>
public class ChannelShapeTests
{
    private const int MaxFields = 20;
    private const int MaxParts = 5;

    private static readonly string Folder = Path.Combine(Repository.Root, "src", "PerfCommon", "Transport");

    [Theory]
    [InlineData("RsslChannel")]
    [InlineData("ChannelOpening")]
    [InlineData("PingTimer")]
    [InlineData("ChannelPoller")]
    [InlineData("ChannelPoller+Slot")]
    [InlineData("AwaitedDriver")]
    [InlineData("AwaitedLink")]
    [InlineData("RsslConnection")]
    [InlineData("RsslListener")]
    public void Fields_OfAClass_AreFew(string name)
    {
        const BindingFlags Own = BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.DeclaredOnly;
        Type type = typeof(RsslChannel).Assembly.GetType($"PerfCommon.Transport.{name}", throwOnError: true)!;
        Assert.InRange(type.GetFields(Own).Length, 1, MaxFields);
    }

    [Theory]
    [InlineData("RsslChannel")]
    [InlineData("RsslConnection")]
    [InlineData("ChannelPoller")]
    public void Parts_OfAClass_AreFew(string name) => Assert.InRange(Directory.GetFiles(Folder, $"{name}*.cs").Length, 1, MaxParts);

    // The poller knows its channels and its waiter; neither of them knows it, or the other.
    [Theory]
    [InlineData("RsslChannel*.cs", "ChannelPoller", "Waiter")]
    [InlineData("Opening/*.cs", "ChannelPoller", "RsslChannel")]
    [InlineData("Waiting/*.cs", "ChannelPoller", "RsslChannel")]
    [InlineData("Network/Memory*.cs", "ChannelPoller", "RsslChannel")]
    public void Files_OfOneSide_DoNotNameTheOther(string files, string one, string other)
    {
        string[] found = [.. Directory.GetFiles(Folder, files)
            .Where(path => File.ReadLines(path).Where(line => !line.TrimStart().StartsWith("//", StringComparison.Ordinal))
                .Any(line => line.Contains($"{one} ", StringComparison.Ordinal) || line.Contains($"{other} ", StringComparison.Ordinal)))];
        Assert.Empty(found);
        Assert.NotEmpty(Directory.GetFiles(Folder, files));
    }
}
