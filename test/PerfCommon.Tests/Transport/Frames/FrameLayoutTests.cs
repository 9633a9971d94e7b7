using PerfCommon.Transport;
using Xunit;

namespace PerfCommon.Tests.Transport.Frames;

/// <summary>Lengths of frames, by the maximum that both sides agreed on.</summary>
public class FrameLayoutTests
{
    [Theory]
    [InlineData(6_144, 6_147, 6_144)]
    [InlineData(63_332, 63_335, 63_332)]
    [InlineData(63_333, 65_535, 63_333)] // no limit is checked beyond it
    [InlineData(65_532, 65_535, 65_532)]
    [InlineData(65_533, 65_535, 65_532)]
    [InlineData(65_535, 65_535, 65_532)]
    public void LargestFrameAndBody_AgreedMaximum_FitTheLengthOfAFrame(int maxMessage, int frame, int body)
    {
        Assert.Equal(frame, FrameLayout.LargestFrame(maxMessage));
        Assert.Equal(body, FrameLayout.LargestBody(maxMessage));
    }

    [Theory]
    [InlineData(true, 2, 10)]
    [InlineData(true, 1, 9)]
    [InlineData(false, 2, 6)]
    [InlineData(false, 1, 5)]
    public void FragmentHeaderBytes_FirstOrNext_CountTheTotalAndTheId(bool isFirst, int idBytes, int bytes) =>
        Assert.Equal(bytes, FrameLayout.FragmentHeaderBytes(isFirst, idBytes));
}
