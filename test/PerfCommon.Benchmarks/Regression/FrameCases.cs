using PerfCommon.Transport;

namespace PerfCommon.Benchmarks.Regression;

/// <summary>Messages of 76 bytes into and out of a channel over memory: in runs as the workers do it, one by one as a library user may.</summary>
internal static class FrameCases
{
    public static IEnumerable<HotCase> Create()
    {
        RsslChannel writing = MemoryChannels.CreateWriting();
        yield return new("write a message of a run", times => WriteRuns(writing, times));
        yield return new("write a message of a packed run", times => WritePacks(writing, times));
        yield return new("write a message", times => WriteMessages(writing, times));
        RsslChannel unpacked = MemoryChannels.CreateReading(packed: false);
        yield return new("read a message of a run", times => ReadRuns(unpacked, times));
        RsslChannel packed = MemoryChannels.CreateReading(packed: true);
        yield return new("read a message of a packed run", times => ReadRuns(packed, times));
        RsslChannel single = MemoryChannels.CreateReading(packed: false);
        yield return new("read a message", times => ReadMessages(single, times));
    }

    private static void WriteRuns(RsslChannel channel, int messages)
    {
        for (int left = messages; left > 0;)
        {
            HotCases.Check(channel.TryBeginRun(Samples.MessageBytes, Math.Min(left, MemoryChannels.Burst), out MessageRun run));
            Fill(ref run);
            left -= run.Messages;
            channel.EndRun(run);
            channel.Flush();
        }
    }

    private static void WritePacks(RsslChannel channel, int messages)
    {
        for (int left = messages; left > 0;)
        {
            HotCases.Check(channel.TryBeginPack(MemoryChannels.PackBytes));
            MessageRun run = channel.BeginPackRun(Samples.MessageBytes, Math.Min(left, MemoryChannels.Pack));
            Fill(ref run);
            left -= run.Messages;
            channel.EndPackRun(run);
            channel.EndPack();
            channel.Flush();
        }
    }

    private static void Fill(ref MessageRun target)
    {
        MessageRun run = target;
        while (run.HasRoom)
        {
            run.Room[0] = 1;
            run.End(Samples.MessageBytes);
        }

        target = run;
    }

    private static void WriteMessages(RsslChannel channel, int messages)
    {
        for (int i = 1; i <= messages; i++)
        {
            HotCases.Check(channel.TryBeginMessage(Samples.MessageBytes, out Span<byte> room));
            room[0] = 1;
            channel.EndMessage(Samples.MessageBytes);
            if (i % MemoryChannels.Burst == 0)
                channel.Flush();
        }

        channel.Flush();
    }

    private static void ReadRuns(RsslChannel channel, int messages)
    {
        for (int left = messages; left > 0;)
        {
            ReceivedRun run = channel.BeginRun();
            while (left > 0 && run.TryTake(out ReadOnlySpan<byte> message))
                left -= message[0];
            channel.EndRun(run);
            if (left > 0)
                left -= ReadMessage(channel); // what a run leaves over, after which there may be another
        }
    }

    private static void ReadMessages(RsslChannel channel, int messages)
    {
        for (int left = messages; left > 0;)
            left -= ReadMessage(channel);
    }

    // Every message begins with 1.
    private static int ReadMessage(RsslChannel channel)
    {
        HotCases.Check(channel.TryRead(out ReadOnlySpan<byte> message));
        return message[0];
    }
}
