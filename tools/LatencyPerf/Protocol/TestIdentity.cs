namespace LatencyPerf.Protocol;

/// <summary>The test and the number of a side, which every datagram of it carries.</summary>
/// <param name="DomainId">The domain that separates tests, 0 to 232.</param>
/// <param name="From">0 for the publisher, else the cookie.</param>
/// <param name="Session">The publisher's session; 0 while a subscriber does not know it.</param>
internal readonly record struct TestIdentity(int DomainId, int From, uint Session)
{
    /// <summary>Bytes of the longest datagram without a packet.</summary>
    public const int MaxControlBytes = 192;

    /// <summary>Writes the header of a datagram.</summary>
    /// <returns>Bytes of the whole datagram.</returns>
    public int WriteHeader(Span<byte> datagram, DatagramKind kind, int bodyBytes, ulong sequence = 0,
        DatagramMarks marks = DatagramMarks.None)
    {
        new DatagramHeader(kind, DomainId, From, marks, Session, bodyBytes, sequence).Write(datagram);
        return DatagramHeader.Bytes + bodyBytes;
    }

    /// <summary>True for a datagram of this test.</summary>
    public bool Owns(in DatagramHeader header) => header.DomainId == DomainId && header.Session == Session;
}
