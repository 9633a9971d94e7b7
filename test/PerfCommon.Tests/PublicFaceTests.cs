using PerfCommon.Transport;
using Xunit;

namespace PerfCommon.Tests;

/// <summary>What a stranger sees of the library; the list itself is src/PerfCommon/PublicAPI.*.txt, which the build compares.</summary>
public class PublicFaceTests
{
    private const int MaxTypes = 100;

    [Fact]
    public void PublicFace_Library_StaysSmall() => Assert.InRange(typeof(RsslChannel).Assembly.GetExportedTypes().Length, 1, MaxTypes);
}
