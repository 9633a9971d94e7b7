namespace Tools.Tests.Replay;

/// <summary>One message of a recording.</summary>
/// <param name="FromClient">True when the side that sent the first frame sent it.</param>
/// <param name="Frame">Number of the frame that completes it.</param>
/// <param name="Start">The position of its first byte: number of the frame, offset in it.</param>
/// <param name="Bytes">The message.</param>
internal sealed record RecordedMessage(bool FromClient, int Frame, (int Frame, int Offset) Start, byte[] Bytes)
{
    /// <summary>What it means.</summary>
    public Said Said { get; } = Said.From(Bytes);
}
