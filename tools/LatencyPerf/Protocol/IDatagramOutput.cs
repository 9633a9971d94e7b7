using System.Net;

namespace LatencyPerf.Protocol;

/// <summary>Where a side of a test is: what tells it from others, and the host that it is on.</summary>
/// <param name="Text">Address and port, or what a link has in their place.</param>
/// <param name="Host">The host alone, as <c>-peer</c> names it.</param>
internal sealed record PeerAddress(string Text, string Host);

/// <summary>What a conversation asks to be sent. A test hands in a memory, a run a link.</summary>
internal interface IDatagramOutput
{
    /// <summary>The number of the publisher among peers; subscribers have their cookies.</summary>
    public const int Publisher = 0;

    /// <summary>Sends to one peer that is part of the test.</summary>
    void Send(int peer, ReadOnlySpan<byte> datagram);

    /// <summary>Sends on the path of the data: to all subscribers, or from one to the publisher; by a group where there is one.</summary>
    void SendData(ReadOnlySpan<byte> datagram);

    /// <summary>Answers somebody who is not part of the test, or not yet.</summary>
    void Answer(PeerAddress to, ReadOnlySpan<byte> datagram);

    /// <summary>Makes somebody a peer: what is sent to the cookie goes there from now on.</summary>
    void Admit(int cookie, PeerAddress at);

    /// <summary>Makes a peer a stranger again: nothing goes to the cookie any more.</summary>
    void Release(int cookie);

    /// <summary>False when the link itself sees that a peer is gone; true where only silence tells.</summary>
    bool IsReachable(int cookie);

    /// <summary>The path of the data is this group from now on; null for the peers' own addresses.</summary>
    void UseGroup(IPEndPoint? group);
}
