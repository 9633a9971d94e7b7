using PerfCommon.Measurement;
using PerfCommon.Workers;
using Xunit;

namespace PerfCommon.Tests.Workers;

public class NoticeGateTests
{
    private const long Second = Clock.NanosPerSecond;

    private readonly NoticeGate _gate = new(perSecond: 2);

    [Fact]
    public void TryPass_OneSentenceTooOften_IsRepeatedSoManyTimes()
    {
        int passed = Enumerable.Range(0, 1_206).Count(i => _gate.TryPass("Received Dictionary Request", 5 + i));
        Assert.Equal(2, passed);
        Assert.Null(_gate.CollectHeld(Second)); // the second is not over
        Assert.Equal("Received Dictionary Request (repeated 1,204 times)", _gate.CollectHeld(Second + 5));
        Assert.Null(_gate.CollectHeld(Second + 6));
        Assert.True(_gate.TryPass("x", Second + 7));
    }

    [Fact]
    public void TryPass_SeveralSentencesTooOften_TellsTheLastAndTheirNumber()
    {
        string[] sentences = ["a", "b", "c", "d", "e"];
        Assert.Equal(["a", "b"], sentences.Where(sentence => _gate.TryPass(sentence, 0)));
        Assert.Equal("e (the last of 3 notices that came too fast)", _gate.CollectHeld(long.MaxValue));
    }

    [Fact]
    public void TryPass_FewEnough_HoldsNothingBack()
    {
        for (int second = 0; second < 10; second++)
        {
            Assert.True(_gate.TryPass("a", second * Second));
            Assert.True(_gate.TryPass("b", second * Second));
        }

        Assert.Null(_gate.CollectHeld(long.MaxValue));
    }
}
