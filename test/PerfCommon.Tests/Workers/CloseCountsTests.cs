using PerfCommon.Transport;
using PerfCommon.Workers;
using Xunit;

namespace PerfCommon.Tests.Workers;

/// <summary>Counters of connections that the server has closed: each reason has its row.</summary>
public class CloseCountsTests
{
    public static TheoryData<CloseKind, string, string> Rows { get; } = new()
    {
        // of an open one, of one with an incomplete handshake; empty where the peer closed it, or the closing code counts it
        { CloseKind.Local, "", "" },
        { CloseKind.PeerClosed, "", "" },
        { CloseKind.Reset, "", "" },
        { CloseKind.ConnectFailed, "", "" },
        { CloseKind.Refused, "", "" },
        { CloseKind.HandshakeFailed, "", nameof(Counter.HandshakesFailed) },
        { CloseKind.HandshakeTimeout, "", nameof(Counter.HandshakesTimedOut) },
        { CloseKind.PingTimeout, nameof(Counter.ConnectionsSilent), "" },
        { CloseKind.Timeout, "", nameof(Counter.HandshakesTimedOut) },
        { CloseKind.ProtocolError, nameof(Counter.ConnectionsBad), nameof(Counter.HandshakesFailed) },
        { CloseKind.LimitExceeded, nameof(Counter.ConnectionsBad), nameof(Counter.HandshakesFailed) },
        { CloseKind.Aborted, "", nameof(Counter.HandshakesCut) },
        { CloseKind.NotTrusted, "", "" },
    };

    [Theory]
    [MemberData(nameof(Rows))]
    public void Kind_OpenOrNot_IsCountedAsItsReason(CloseKind kind, string open, string opening)
    {
        Assert.Equal(open, CloseCounts.OfOpen(kind)?.ToString() ?? "");
        Assert.Equal(opening, CloseCounts.OfOpening(kind)?.ToString() ?? "");
    }

    [Fact]
    public void Rows_NameEveryKind() =>
        Assert.Equal(Enum.GetValues<CloseKind>().Order(), Rows.Select(row => row.Data.Item1).Order());
}
