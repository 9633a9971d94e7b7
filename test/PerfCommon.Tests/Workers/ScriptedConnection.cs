using PerfCommon.Workers;

namespace PerfCommon.Tests.Workers;

/// <summary>A connection whose wishes the test sets, and that records what its worker asks it to do.</summary>
internal sealed class ScriptedConnection : Connection
{
    private static readonly NoticeKind Sentence = NoticeKind.Information(909, "Sentence", "{Sentence}");

    /// <summary>Called when the worker has spare time; the result tells whether there is more to do.</summary>
    public Func<bool> Idle { get; set; } = static () => false;

    /// <summary>Called before bursts that were blocked go on.</summary>
    public Action Continue { get; set; } = static () => { };

    /// <summary>Called with each message.</summary>
    public Action Message { get; set; } = static () => { };

    public bool Ticking { get; set; }

    public bool OnDemand { get; init; }

    public bool Blocked { get; set; }

    public long DueNanos { get; set; } = long.MaxValue;

    /// <summary>Messages that it reads before it says that it wants no more.</summary>
    public int Wanted { get; init; } = int.MaxValue;

    public int Received { get; private set; }

    /// <summary>Times until which it was to read.</summary>
    public List<long> Until { get; } = [];

    /// <summary>Times at which its work was due.</summary>
    public List<long> Due { get; } = [];

    public bool IsOpened { get; private set; }

    internal override bool RunsOnDemand => OnDemand;

    internal override bool WantsTicks => Ticking;

    internal override bool IsBlocked => Blocked;

    internal override long NextDueNanos => DueNanos;

    public void Say(string sentence) => Report(Sentence, sentence);

    internal override void OnOpened(long nowNanos) => IsOpened = true;

    internal override bool OnIdle() => Idle();

    internal override void OnContinue() => Continue();

    internal override void OnDue(long nowNanos)
    {
        Due.Add(nowNanos);
        DueNanos = long.MaxValue;
    }

    internal override void OnReadable(long untilNanos)
    {
        Until.Add(untilNanos);
        Receiver receiver = new(this);
        Receive(ref receiver, untilNanos);
    }

    private readonly struct Receiver(ScriptedConnection connection) : IMessageReceiver
    {
        public bool Receive(ReadOnlySpan<byte> message)
        {
            connection.Message();
            return ++connection.Received < connection.Wanted;
        }
    }
}
