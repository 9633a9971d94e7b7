using System.Buffers.Binary;
using PerfCommon.Transport;
using PerfCommon.Transport.WebSockets;

namespace PerfCommon.Tests.Transport.WebSockets;

/// <summary>The RSSL frames that came out of a WebSocket.</summary>
internal sealed record ReceivedFrames(List<byte[]> Frames, bool HasEnded)
{
    /// <summary>Reads until everything recorded is taken.</summary>
    /// <param name="pipe">The WebSocket.</param>
    /// <param name="pieces">Where its bytes come from.</param>
    /// <param name="skipped">Frames at the beginning to leave out: the handshake that JSON has not.</param>
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
