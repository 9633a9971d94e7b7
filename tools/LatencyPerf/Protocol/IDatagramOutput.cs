using System.Net;

namespace LatencyPerf.Protocol;

/// <summary>The address of a side of a test, and its host.</summary>
/// <param name="Text">Address and port, or the equivalent of a link.</param>
/// <param name="Host">The host alone, as <c>-peer</c> names it.</param>
internal sealed record PeerAddress(string Text, string Host);

/// <summary>Sends the datagrams of a conversation. A test passes a memory, a run a link.</summary>
internal interface IDatagramOutput
{
    /// <summary>The number of the publisher among peers; subscribers have their cookies.</summary>
    public const int Publisher = 0;

    /// <summary>Sends to one peer that is part of the test.</summary>
    void Send(int peer, ReadOnlySpan<byte> datagram);

    /// <summary>Sends on the path of the data: to all subscribers, or from one to the publisher; by a group where there is one.</summary>
    void SendData(ReadOnlySpan<byte> datagram);

    /// <summary>Answers an address that is not part of the test, or not yet.</summary>
    void Answer(PeerAddress to, ReadOnlySpan<byte> datagram);

    /// <summary>Makes an address a peer: datagrams for the cookie are sent there from now on.</summary>
    void Admit(int cookie, PeerAddress at);

    /// <summary>Makes a peer a stranger again: no datagram is sent to the cookie any more.</summary>
    void Release(int cookie);

    /// <summary>False when the link itself detects that a peer is gone; true where only silence shows it.</summary>
    bool IsReachable(int cookie);

    /// <summary>Selects a group as the path of the data; null for the peers' own addresses.</summary>
    void UseGroup(IPEndPoint? group);
}
