using PerfCommon.Load;
using Xunit;

namespace PerfCommon.Tests.Load;

/// <summary>The sequence of an item's counted updates: next, skipped, late, repeated, or too far back.</summary>
public sealed class SizedSequenceTests
{
    private const int First = SizedMessages.FirstCount;

    /// <summary>Steps after an image of count 10; numbers are counts above it.</summary>
    [Theory]
    [InlineData("1 2 3", "Next Next Next")]
    [InlineData("1 4 2 3 2 3", "Next Skipped2 Late Late Repeated Repeated")]
    [InlineData("4 0 -1 -31", "Skipped3 Repeated Repeated FarBack")]
    [InlineData("1 1 3 1 2", "Next Repeated Skipped1 Repeated Late")]
    [InlineData("31 1 30 0 -1", "Skipped30 Late Late Repeated FarBack")]
    [InlineData("32 1 0", "Skipped31 Late FarBack")]
    [InlineData("40 9 8 7", "Skipped39 Late FarBack FarBack")]
    public void Receive_AfterAnImage_TellsEachFromTheOthers(string counts, string steps)
    {
        SizedSequence sequence = default;
        sequence.Begin(First + 10);
        List<string> found = [];
        foreach (int count in counts.Split(' ').Select(int.Parse))
        {
            SequenceStep step = sequence.Receive(First + 10 + count, out int skipped);
            found.Add(skipped > 0 ? $"{step}{skipped}" : $"{step}");
        }

        Assert.Equal(steps, string.Join(' ', found));
    }
}
