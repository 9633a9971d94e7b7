using PerfCommon.Transport;
using Xunit;

namespace PerfCommon.Tests;

/// <summary>Public members of the library as a user sees them; the list itself is src/PerfCommon/PublicAPI.*.txt, which the build compares.</summary>
public class PublicFaceTests
{
    private const int MaxTypes = 125;

    [Fact]
    public void PublicFace_Library_StaysSmall() => Assert.InRange(typeof(RsslChannel).Assembly.GetExportedTypes().Length, 1, MaxTypes);
}
