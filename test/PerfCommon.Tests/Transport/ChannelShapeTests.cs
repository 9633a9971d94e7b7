using System.Reflection;
using System.Runtime.CompilerServices;
using PerfCommon.Transport;
using Tools.Tests;
using Xunit;

namespace PerfCommon.Tests.Transport;

/// <summary>A class of Transport has one life: what wants more fields or parts than these is two types.</summary>
public class ChannelShapeTests
{
    private const int MaxFields = 20;
    private const int MaxParts = 5;

    private static readonly string Folder = Path.Combine(RepositoryRoot.FullPath, "src", "PerfCommon", "Transport");

    [Fact]
    public void Classes_OfTransport_HaveFewFields()
    {
        string[] large = [.. typeof(RsslChannel).Assembly.GetTypes()
            .Where(type => type is { IsClass: true, Namespace: { } room } && room.StartsWith("PerfCommon.Transport", StringComparison.Ordinal))
            .Where(type => !IsRecordOfOptions(type) && !type.IsDefined(typeof(CompilerGeneratedAttribute)))
            .Select(type => (Type: type, Count: FieldsOf(type))).Where(each => each.Count > MaxFields)
            .Select(each => $"{each.Type.Name} has {each.Count} fields")];
        Assert.Empty(large);
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

    private static int FieldsOf(Type type) =>
        type.GetFields(BindingFlags.Instance | BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.DeclaredOnly).Length;

    // Rows of settings, not lives.
    private static bool IsRecordOfOptions(Type type) => type.GetMethod("<Clone>$") is not null;
}
