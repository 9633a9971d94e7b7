using System.Buffers.Binary;
using PerfCommon.Transport;
using PerfCommon.Transport.WebSockets;

namespace PerfCommon.Tests.Transport.WebSockets;

/// <summary>The RSSL frames that a WebSocket returned.</summary>
internal sealed record ReceivedFrames(List<byte[]> Frames, bool HasEnded)
{
    /// <summary>Reads until all recorded bytes are consumed.</summary>
    /// <param name="pipe">The WebSocket.</param>
    /// <param name="pieces">The pipe with its bytes.</param>
    /// <param name="skipped">Number of frames to skip at the beginning: the handshake that JSON lacks.</param>
    public static ReceivedFrames Read(WebSocketPipe pipe, PiecesPipe pieces, int skipped)
    {
        byte[] room = new byte[8192];
        using MemoryStream all = new();
        PipeStatus status = PipeStatus.Ready;
        while (status <= PipeStatus.Wait && (status == PipeStatus.Ready || !pieces.IsEmpty))
        {
            status = pipe.Receive(room, out int count);
            all.Write(room, 0, count);
        }

        byte[] bytes = all.ToArray();
        List<byte[]> frames = [];
        for (int at = 0; at < bytes.Length; at += frames[^1].Length)
            frames.Add(bytes[at..(at + BinaryPrimitives.ReadUInt16BigEndian(bytes.AsSpan(at)))]);
        return new ReceivedFrames(frames[skipped..], status == PipeStatus.Ended);
    }
}
