using LatencyPerf.Protocol;
using Xunit;

namespace Tools.Tests.LatencyTests;

/// <summary>One datagram of a test is lost, repeated, overtaken or delayed: exactly that is counted, on every side.</summary>
/// <remarks>Two subscribers, of which the second echoes; time is simulated: 20 us a way, a round is given up after 50 ms.</remarks>
[Trait("Category", "Fast")]
public class OddDatagramTests
{
    private const int Rounds = 20;
    private const ulong Odd = 7;
    private const int Silent = 1, Echoer = 2;
    private const long Overtaken = 50_000; // the next datagram to the silent subscriber arrives in between
    private const long Late = 60_000_000;

    private static readonly long[] Lost = [], Twice = [0, 0];

    public static TheoryData<string, bool, string, string> Cases => new()
    {
        // what happens; reliable; publisher: rounds lost, late, duplicates, resent; each subscriber: received, lost, late, duplicates, replied
        { "nothing", false, "0 0 0 0", "20 0 0 0 0, 20 0 0 0 20" },
        { "data to the silent one is lost", false, "0 0 0 0", "19 1 0 0 0, 20 0 0 0 20" },
        { "data to the silent one is repeated", false, "0 0 0 0", "20 0 0 1 0, 20 0 0 0 20" },
        { "data to the silent one is overtaken", false, "0 0 0 0", "20 0 1 0 0, 20 0 0 0 20" },
        { "data to the echoer is lost", false, "1 0 0 0", "20 0 0 0 0, 19 1 0 0 19" },
        { "data to the echoer is repeated", false, "0 0 0 0", "20 0 0 0 0, 20 0 0 1 20" },
        { "data to the echoer is late", false, "1 0 0 0", "20 0 0 0 0, 20 0 1 0 19" },
        { "the reply is lost", false, "1 0 0 0", "20 0 0 0 0, 20 0 0 0 20" },
        { "the reply is repeated", false, "0 0 1 0", "20 0 0 0 0, 20 0 0 0 20" },
        { "the reply is late", false, "1 1 0 0", "20 0 0 0 0, 20 0 0 0 20" },
        { "the reply is late and repeated", false, "1 1 1 0", "20 0 0 0 0, 20 0 0 0 20" },
        { "nothing", true, "0 0 0 0", "20 0 0 0 0, 20 0 0 0 20" },
        { "data to the silent one is lost", true, "0 0 0 1", "20 0 0 0 0, 20 0 0 0 20" },
        { "data to the silent one is repeated", true, "0 0 0 0", "20 0 0 1 0, 20 0 0 0 20" },
        { "data to the silent one is overtaken", true, "0 0 0 1", "20 0 0 1 0, 20 0 0 0 20" },
        { "data to the echoer is lost", true, "0 0 0 1", "20 0 0 0 0, 20 0 0 0 20" },
        { "data to the echoer is repeated", true, "0 0 0 0", "20 0 0 0 0, 20 0 0 1 20" },
        { "data to the echoer is late", true, "0 0 0 1", "20 0 0 0 0, 20 0 0 1 20" },
        { "the reply is lost", true, "0 0 0 0", "20 0 0 0 0, 20 0 0 0 20" },
        { "the reply is repeated", true, "0 0 1 0", "20 0 0 0 0, 20 0 0 0 20" },
    };

    [Theory]
    [MemberData(nameof(Cases))]
    public void Run_OneOddDatagram_IsCountedExactly(string what, bool reliable, string publisher, string subscribers)
    {
        SimulatedNetwork network = new(1) { Subscribers = 2, Carry = new Fate(what).Carry };
        ConversationPair pair = new(network, ConversationPair.CreateTerms(2, reliable));
        pair.Meet();
        int lost = 0;
        for (int i = 0; i < Rounds; i++)
            lost += pair.RunRound() ? 0 : 1;
        pair.RunUntil(() => pair.Rounds.IsSettled && network.NextArrivalNanos - network.NowNanos > Late);
        pair.End();

        Assert.Equal(publisher, $"{lost} {pair.Rounds.Late} {pair.Rounds.Duplicates} {pair.Rounds.Resent}");
        Assert.Equal(subscribers, string.Join(", ", pair.Subscribers.Select(one => Describe(one.Counts!.Value))));
        Assert.Equal((Rounds - lost, 0L), (pair.Replies.Count, pair.Rounds.Foreign + pair.Subscribers.Sum(one => one.Foreign)));
        Assert.Equal(what.StartsWith("the reply is late", StringComparison.Ordinal) ? Late + 40_000 : 0, pair.Rounds.LongestLateNanos);
    }

    private static string Describe(SubscriberCounts counts) =>
        $"{counts.Received} {counts.Lost} {counts.Late} {counts.Duplicates} {counts.Replied}";

    // Once: what is sent again of the same number goes its way.
    private sealed class Fate(string what)
    {
        private bool _isOver = what == "nothing";

        public long[]? Carry(int from, int to, DatagramHeader header)
        {
            bool isMeant = what.StartsWith("the reply", StringComparison.Ordinal)
                ? header.Kind == DatagramKind.Reply && from == Echoer
                : header.Kind == DatagramKind.Data && to == (what.Contains("silent", StringComparison.Ordinal) ? Silent : Echoer);
            if (_isOver || !isMeant || header.Sequence != Odd)
                return null;
            _isOver = true;
            return what switch
            {
                _ when what.EndsWith("late and repeated", StringComparison.Ordinal) => [Late, Late],
                _ when what.EndsWith("lost", StringComparison.Ordinal) => Lost,
                _ when what.EndsWith("repeated", StringComparison.Ordinal) => Twice,
                _ when what.EndsWith("overtaken", StringComparison.Ordinal) => [Overtaken],
                _ => [Late],
            };
        }
    }
}
