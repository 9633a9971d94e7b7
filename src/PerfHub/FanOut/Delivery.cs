using PerfCommon.Workers;

namespace PerfHub.FanOut;

/// <summary>A message that one stream gets: where its bytes lie, and what is changed in them.</summary>
/// <param name="At">Where it begins: in the array of its run, or among those that are kept.</param>
/// <param name="Length">Its bytes.</param>
/// <param name="StreamId">The stream that it goes to.</param>
/// <param name="Marks">What it is, in one number: what has four members and no more is kept in registers.</param>
internal readonly record struct Delivery(int At, int Length, int StreamId, int Marks)
{
    /// <summary>Turns that are told apart.</summary>
    public const int Turns = 1 << (32 - TurnShift);

    private const int KindMask = 0xFF;
    private const int AnswerMark = 0x100;
    private const int KeptMark = 0x200;
    private const int TurnShift = 10;

    /// <summary>A message in the array of its run.</summary>
    public Delivery(int at, int length, int streamId, MessageKind kind, bool isAnswer)
        : this(at, length, streamId, (int)kind | (isAnswer ? AnswerMark : 0))
    {
    }

    /// <summary>As what it is counted.</summary>
    public MessageKind Kind => (MessageKind)(Marks & KindMask);

    /// <summary>True for a refresh that somebody waits for.</summary>
    public bool IsAnswer => (Marks & AnswerMark) != 0;

    /// <summary>True for an update in <see cref="KeptUpdates"/>.</summary>
    public bool IsKept => (Marks & KeptMark) != 0;

    /// <summary>In which turn it was kept.</summary>
    public int Turn => (int)((uint)Marks >> TurnShift);

    /// <summary>An update that was kept, for any stream.</summary>
    public static Delivery Kept(int at, int length, int turn) =>
        new(at, length, 0, (int)MessageKind.Update | KeptMark | (turn << TurnShift));
}
