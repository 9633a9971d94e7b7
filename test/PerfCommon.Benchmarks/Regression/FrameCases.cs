using PerfCommon.Transport;

namespace PerfCommon.Benchmarks.Regression;

/// <summary>Messages of 76 bytes written to and read from a channel over memory: in batches as workers do, one by one as library users may.</summary>
internal static class FrameCases
{
    private static readonly byte[] Message = Samples.CreatePackedMessages(1)[sizeof(ushort)..];

    public static IReadOnlyList<HotCase> All { get; } =
    [
        new("write a message of a run", () => Write(WriteRuns)),
        new("write a message of a packed run", () => Write(WritePacks)),
        new("write a message", () => Write(WriteMessages)),
        new("read a message of a run", () => Read(ReadRuns, packed: false)),
        new("read a message of a packed run", () => Read(ReadRuns, packed: true)),
        new("read a message", () => Read(ReadMessages, packed: false)),
    ];

    private static Action<int> Write(Action<RsslChannel, int> write)
    {
        RsslChannel channel = MemoryChannels.CreateWriting();
        return times => write(channel, times);
    }

    private static Action<int> Read(Action<RsslChannel, int> read, bool packed)
    {
        RsslChannel channel = MemoryChannels.CreateReading(packed);
        return times => read(channel, times);
    }

    private static void WriteRuns(RsslChannel channel, int messages)
    {
        for (int left = messages; left > 0;)
        {
            HotCases.Check(channel.TryBeginBatch(Samples.MessageBytes, Math.Min(left, MemoryChannels.Burst), out SendBatch run));
            Fill(ref run);
            left -= run.Messages;
            channel.EndBatch(run);
            channel.Flush();
        }
    }

    private static void WritePacks(RsslChannel channel, int messages)
    {
        for (int left = messages; left > 0;)
        {
            HotCases.Check(channel.TryBeginPack(MemoryChannels.PackBytes));
            SendBatch run = channel.BeginPackBatch(Samples.MessageBytes, Math.Min(left, MemoryChannels.Pack));
            Fill(ref run);
            left -= run.Messages;
            channel.EndPackBatch(run);
            channel.EndPack();
            channel.Flush();
        }
    }

    private static void Fill(ref SendBatch target)
    {
        SendBatch run = target;
        while (run.HasRoom)
        {
            Message.CopyTo(run.Room);
            run.End(Samples.MessageBytes);
        }

        target = run;
    }

    private static void WriteMessages(RsslChannel channel, int messages)
    {
        for (int i = 1; i <= messages; i++)
        {
            HotCases.Check(channel.TryBeginMessage(Samples.MessageBytes, out Span<byte> room));
            Message.CopyTo(room);
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
            channel.BeginBatch(out ReceiveBatch run);
            while (left > 0 && run.TryRead(out ReadOnlySpan<byte> message))
                left -= message[0];
            channel.EndBatch(run);
            if (left > 0)
                left -= ReadMessage(channel); // the messages after a batch, after which there may be another batch
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
