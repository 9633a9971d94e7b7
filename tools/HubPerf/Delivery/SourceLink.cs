using HubPerf.Rings;
using HubPerf.Sources;

namespace HubPerf.Delivery;

/// <summary>What a session thread has of one source thread: the rings to and from it, and who watches its items.</summary>
/// <remarks>What finds no room in the ring waits here, in order; its connections are not read meanwhile.</remarks>
internal sealed class SourceLink(SourceHost host, int sessionHost)
{
    private readonly Queue<(byte Kind, int Number, byte[] Bytes)> _waiting = new();
    private bool _isCrowded; // when it was looked at last

    public SourceHost Host => host;

    public ByteRing FromSource { get; } = host.ToSessions[sessionHost];

    public Watchers Watchers { get; } = new();

    /// <summary>True while something waits for room.</summary>
    public bool IsFull => _waiting.Count > 0;

    /// <summary>
    /// True while half of the ring is taken: what publishers send waits then, so that what consumers ask always finds room.
    /// </summary>
    public bool IsCrowded => _isCrowded = ToSource.IsHalfFull();

    private ByteRing ToSource { get; } = host.FromSessions[sessionHost];

    /// <summary>Hands a record over.</summary>
    public void Send(SessionRecord kind, int number, ReadOnlySpan<byte> bytes)
    {
        if (_waiting.Count == 0 && ToSource.HasRoom())
            ToSource.Add((byte)kind, number, bytes);
        else
            _waiting.Enqueue(((byte)kind, number, bytes.ToArray()));
    }

    /// <summary>Hands over what waits, and wakes the source thread for what was handed over.</summary>
    public void Publish()
    {
        while (_waiting.Count > 0 && ToSource.HasRoom())
        {
            (byte kind, int number, byte[] bytes) = _waiting.Dequeue();
            ToSource.Add(kind, number, bytes);
        }

        if (!ToSource.HasUnpublished)
            return;
        ToSource.Publish();
        host.Flag.WakeSleeper();
    }

    /// <summary>True when there is something to do; else whoever makes room wakes the thread.</summary>
    public bool HasWork()
    {
        if (IsFull || _isCrowded)
        {
            ToSource.AwaitRoom();
            if (IsFull ? ToSource.HasRoom() : !ToSource.IsHalfFull())
                return true;
        }

        return FromSource.HasUnread;
    }
}
