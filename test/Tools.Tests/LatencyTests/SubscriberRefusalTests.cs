using LatencyPerf.Protocol;
using Xunit;

namespace Tools.Tests.LatencyTests;

/// <summary>Refusals as a subscriber reads them: any before it has been welcomed, those of its test after that.</summary>
[Trait("Category", "Fast")]
public sealed class SubscriberRefusalTests
{
    private const uint Session = 5;

    private readonly SubscriberRendezvous _meeting = new(7, 1, new Announcement(Reliable: false, NoEcho: false, 1, null));
    private readonly SimulatedNetwork.End _output = new SimulatedNetwork(1).CreateEnd(1);
    private readonly byte[] _body = new byte[100];

    [Theory]
    [InlineData(0u)] // a newcomer is refused without a session
    [InlineData(1u)]
    [InlineData(Session)]
    public void Receive_BeforeTheWelcome_IsTheReason(uint session)
    {
        Assert.True(Refuse(session));
        Assert.Equal(new Refusal(RefusalReason.TestRunning, "a test is running"), _meeting.Refused);
    }

    [Theory]
    [InlineData(0u, false)] // of another who came late
    [InlineData(1u, false)]
    [InlineData(Session, true)]
    public void Receive_AfterTheWelcome_IsThatOfItsTestAlone(uint session, bool isMine)
    {
        ConversationPair.CreateTerms(1).WelcomeAt(0).Write(_body);
        Assert.True(_meeting.Receive(HeaderOf(DatagramKind.Welcome, Session, 1), _body.AsSpan(0, WelcomeTerms.Bytes), 1, _output));
        Assert.Equal(isMine, Refuse(session));
        Assert.Equal(isMine, _meeting.Refused is not null);
    }

    [Fact]
    public void Receive_BodyThatIsNone_IsNoRefusal()
    {
        Assert.False(_meeting.Receive(HeaderOf(DatagramKind.Refuse, 0), [], 1, _output));
        Assert.Null(_meeting.Refused);
    }

    private bool Refuse(uint session)
    {
        int bytes = new Refusal(RefusalReason.TestRunning, "a test is running").Write(_body);
        return _meeting.Receive(HeaderOf(DatagramKind.Refuse, session), _body.AsSpan(0, bytes), 1, _output);
    }

    private static DatagramHeader HeaderOf(DatagramKind kind, uint session, ulong sequence = 0) =>
        new(kind, 7, IDatagramOutput.Publisher, DatagramMarks.None, session, 0, sequence);
}
