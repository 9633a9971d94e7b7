using PerfCommon.Transport;
using PerfCommon.Workers;
using PerfHub.FanOut;
using Xunit;

namespace Tools.Tests.PerfHubTests;

[Trait("Category", "Fast")]
public class FanOutBatchTests
{
    private const int FrameHead = 3;
    private const int PackedHead = 2;
    private const int LongestMessage = 64;

    /// <summary>
    /// Connections that get the same, nearly the same or something else, with room for all or for a part, in frames and in packs: each gets
    /// what it would get alone.
    /// </summary>
    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    public void Fill_ManyConnections_EachGetsWhatItWouldGetAlone(int seed)
    {
        Random random = new(seed);
        FanOutBatch maker = new();
        for (int turn = 0; turn < 300; turn++)
        {
            byte[] source = new byte[4_096];
            random.NextBytes(source);
            maker.Invalidate();
            Delivery[] common = Messages(random);
            for (int connection = random.Next(12); connection > 0; connection--)
            {
                Delivery[] own = random.Next(3) switch { 0 => Changed(common, random), 1 => Messages(random), _ => common };
                int head = random.Next(4) == 0 ? PackedHead : FrameHead;
                int most = random.Next(5) == 0 ? random.Next(1, own.Length + 1) : own.Length;
                byte[] alone = Fill(new FanOutBatch(), source, own, head, most);
                Assert.Equal(alone, Fill(maker, source, own, head, most));
            }
        }
    }

    /// <summary>The third of those that get the same is given a copy: what the messages refer to is not looked at again.</summary>
    [Fact]
    public void Fill_SameForTheThirdTime_Copies()
    {
        FanOutBatch maker = new();
        byte[] source = new byte[4_096];
        Delivery[] messages = Messages(new Random(1));
        byte[] first = Fill(maker, source, messages, FrameHead, messages.Length);
        Fill(maker, source, messages, FrameHead, messages.Length);
        Array.Fill(source, (byte)7);
        Assert.Equal(first, Fill(maker, source, messages, FrameHead, messages.Length));
        maker.Invalidate();
        Assert.NotEqual(first, Fill(maker, source, messages, FrameHead, messages.Length));
    }

    [Fact]
    public void Front_OtherKindBehind_StopsThere()
    {
        FanOutBatch maker = new();
        Delivery[] messages =
        [
            new(0, 20, 5, MessageKind.Update, isAnswer: false), new(20, 30, 6, MessageKind.Update, isAnswer: false),
            new(50, 40, 7, MessageKind.Refresh, isAnswer: true),
        ];
        AlikeMessages alike = maker.Front(messages);
        Assert.Equal((2, 30, false), (alike.Messages.Length, alike.MaxBytes, alike.IsMade));
    }

    private static Delivery[] Messages(Random random)
    {
        Delivery[] messages = new Delivery[random.Next(1, 30)];
        int at = random.Next(8);
        bool areImages = random.Next(4) == 0;
        for (int i = 0; i < messages.Length; i++)
        {
            int length = random.Next(20, LongestMessage);
            messages[i] = new Delivery(at, length, random.Next(1, 1_000), areImages ? MessageKind.Refresh : MessageKind.Update,
                areImages && random.Next(2) == 0);
            at += length;
        }

        return messages;
    }

    private static Delivery[] Changed(Delivery[] messages, Random random)
    {
        Delivery[] changed = [.. messages];
        ref Delivery one = ref changed[random.Next(changed.Length)];
        one = one with { StreamId = one.StreamId + 1 };
        return changed;
    }

    private static byte[] Fill(FanOutBatch maker, byte[] source, Delivery[] messages, int head, int most)
    {
        AlikeMessages alike = maker.Front(messages);
        Assert.Equal(messages.Length, alike.Messages.Length);
        SendBatch run = new(new byte[messages.Length * (head + alike.MaxBytes)], alike.MaxBytes, most, head);
        int written = maker.Fill(ref run, new MessageBytes(source, new PendingUpdates()), alike);
        Assert.Equal((most, most), (written, run.Messages));
        return [.. run.Made.Bytes, (byte)run.Messages, .. BitConverter.GetBytes(run.BytesBeforeLast)];
    }
}
