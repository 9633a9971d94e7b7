using PerfTools.Hosting.Running;
using Xunit;

namespace PerfCommon.Tests.Hosting.Running;

[Trait("Category", "Fast")]
public sealed class SystemLimitsTests
{
    [Fact]
    public void Limits_OfThisProcess_AreKnownOnLinux()
    {
        Assert.Equal(OperatingSystem.IsLinux(), SystemLimits.MaxFiles is > 0);
        Assert.Equal(OperatingSystem.IsLinux(), SystemLimits.LocalPorts is > 0 and <= ushort.MaxValue);
    }
}
