using System.Reflection;
using PerfCommon.Transport;
using Xunit;

namespace PerfCommon.Tests;

/// <summary>A channel, a session and those around them have one life each: what wants more fields or parts than these is two types.</summary>
public class ClassShapeTests
{
    private const int MaxFields = 20;
    private const int MaxParts = 5;

    private static readonly string Folder = Path.Combine(Repository.Root, "src", "PerfCommon");

    [Theory]
    [InlineData("Transport.RsslChannel")]
    [InlineData("Transport.ChannelOpening")]
    [InlineData("Transport.PingTimer")]
    [InlineData("Transport.ChannelPoller")]
    [InlineData("Transport.ChannelPoller+Slot")]
    [InlineData("Transport.AwaitedDriver")]
    [InlineData("Transport.AwaitedLink")]
    [InlineData("Transport.RsslConnection")]
    [InlineData("Transport.RsslListener")]
    [InlineData("Sessions.ConsumerSession")]
    [InlineData("Sessions.ProviderSession")]
    [InlineData("Sessions.WatchedItems")]
    public void Fields_OfAClass_AreFew(string name)
    {
        const BindingFlags Own = BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.DeclaredOnly;
        Type type = typeof(RsslChannel).Assembly.GetType($"PerfCommon.{name}", throwOnError: true)!;
        Assert.InRange(type.GetFields(Own).Length, 1, MaxFields);
    }

    [Theory]
    [InlineData("Transport", "RsslChannel")]
    [InlineData("Transport", "RsslConnection")]
    [InlineData("Transport", "ChannelPoller")]
    [InlineData("Sessions", "ConsumerSession")]
    [InlineData("Sessions", "ProviderSession")]
    public void Parts_OfAClass_AreFew(string room, string name) =>
        Assert.InRange(Directory.GetFiles(Path.Combine(Folder, room), $"{name}.*cs").Length, 1, MaxParts);

    // The poller knows its channels and its waiter; neither of them knows it, or the other.
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
