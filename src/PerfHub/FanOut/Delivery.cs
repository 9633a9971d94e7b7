using PerfCommon.Workers;

namespace PerfHub.FanOut;

/// <summary>A message for one stream: the position of its bytes, and the changes made in them.</summary>
/// <param name="At">Where it begins: in the array of its batch, or among the kept updates.</param>
/// <param name="Length">Length in bytes.</param>
/// <param name="StreamId">Id of the stream that receives it.</param>
/// <param name="Marks">Its kind and flags in one number: a struct of up to four members is kept in registers.</param>
internal readonly record struct Delivery(int At, int Length, int StreamId, int Marks)
{
    /// <summary>Number of turns that are distinguished.</summary>
    public const int Turns = 1 << (32 - TurnShift);

    private const int KindMask = 0xFF;
    private const int AnswerMark = 0x100;
    private const int KeptMark = 0x200;
    private const int TurnShift = 10;

    /// <summary>Creates the delivery of a message in the array of its batch.</summary>
    public Delivery(int at, int length, int streamId, MessageKind kind, bool isAnswer)
        : this(at, length, streamId, (int)kind | (isAnswer ? AnswerMark : 0))
    {
    }

    /// <summary>The kind under which it is counted.</summary>
    public MessageKind Kind => (MessageKind)(Marks & KindMask);

    /// <summary>True for a refresh that answers a request.</summary>
    public bool IsAnswer => (Marks & AnswerMark) != 0;

    /// <summary>True for an update in <see cref="PendingUpdates"/>.</summary>
    public bool IsKept => (Marks & KeptMark) != 0;

    /// <summary>The turn in which it was kept.</summary>
    public int Turn => (int)((uint)Marks >> TurnShift);

    /// <summary>Creates the delivery of a kept update, for any stream.</summary>
    public static Delivery Kept(int at, int length, int turn) =>
        new(at, length, 0, (int)MessageKind.Update | KeptMark | (turn << TurnShift));
}
