namespace Tools.Tests.Replay;

/// <summary>One frame of a recording, its header included.</summary>
/// <param name="FromClient">True when the side that sent the first frame sent this one.</param>
/// <param name="Bytes">The frame; the replay may patch it.</param>
internal sealed record RecordedFrame(bool FromClient, byte[] Bytes)
{
    private const int HeaderBytes = 3;
    private const byte DataFlag = 0x02;

    /// <summary>True for a frame of nothing but its header.</summary>
    public bool IsPing => Bytes.Length == HeaderBytes;

    /// <summary>True for what is said before the first message.</summary>
    public bool IsHandshake => (Bytes[2] & DataFlag) == 0;
}
