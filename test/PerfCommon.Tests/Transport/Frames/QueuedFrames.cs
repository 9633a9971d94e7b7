using System.Buffers.Binary;
using PerfCommon.Transport;

namespace PerfCommon.Tests.Transport.Frames;

/// <summary>Adds frames to a queue, as writers do: one by one, as a special one, or a batch at once.</summary>
internal static class QueuedFrames
{
    /// <summary>Creates a frame whose bytes after the length are its number.</summary>
    public static byte[] Frame(int bytes, int number)
    {
        byte[] frame = new byte[bytes];
        frame.AsSpan().Fill((byte)number);
        BinaryPrimitives.WriteUInt16BigEndian(frame, (ushort)bytes);
        return frame;
    }

    public static void Add(this FrameQueue queue, byte[] frame)
    {
        queue.Reserve(frame.Length);
        frame.CopyTo(queue.Array, queue.End);
        queue.End += frame.Length;
        queue.Frames++;
    }

    public static void AddSpecial(this FrameQueue queue, byte[] frame, int messages)
    {
        queue.Reserve(frame.Length);
        frame.CopyTo(queue.Array, queue.End);
        queue.CommitSpecial(frame.Length, messages);
    }

    public static void AddBatch(this FrameQueue queue, params int[] lengths)
    {
        int bytes = lengths.Sum();
        queue.Reserve(bytes);
        int at = queue.End;
        foreach (int length in lengths)
        {
            Frame(length, length).CopyTo(queue.Array, at);
            at += length;
        }

        queue.CommitBatch(bytes, lengths.Length, bytesBeforeLast: bytes - lengths[^1]);
    }
}
