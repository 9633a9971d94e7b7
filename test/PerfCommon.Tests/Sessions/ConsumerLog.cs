using System.Text;
using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.Sessions;
using PerfCommon.Transport;
using PerfCommon.Workers;

namespace PerfCommon.Tests.Sessions;

/// <summary>Records the events of a consumer's session.</summary>
internal sealed class ConsumerLog : ConsumerHandler
{
    private readonly FieldListDecoder _decoder = new(SessionSamples.Dictionary.Types, StampFields.First, StampFields.Count);

    /// <summary>Events in order, without the ends of batches.</summary>
    public List<string> Lines { get; } = [];

    public CloseReason? Closed { get; private set; }

    /// <summary>Updates so far.</summary>
    public int Updates { get; private set; }

    /// <summary>False counts updates without recording them.</summary>
    public bool RecordsUpdates { get; set; } = true;

    /// <summary>The round trips of the provider.</summary>
    public List<(ulong Ticks, ulong? LastRoundTrip, ulong? TcpRetransmissions)> Trips { get; } = [];

    /// <summary>Called once, with the next update.</summary>
    public Action<int>? OnNextUpdate { get; set; }

    /// <summary>Sends a message of the consumer's.</summary>
    public bool Send(ReadOnlySpan<byte> message) => Session.Output.TrySend(message, MessageKind.Other);

    protected internal override void OnConnectFailed(CloseReason reason) => Lines.Add($"connect failed {reason.Kind}");

    protected internal override void OnReady() => Lines.Add("ready");

    protected internal override void OnRoundTrip(ulong ticks, ulong? lastRoundTrip, ulong? tcpRetransmissions) =>
        Trips.Add((ticks, lastRoundTrip, tcpRetransmissions));

    protected internal override void OnRefresh(int item, scoped in RwfMsg refresh) =>
        Lines.Add($"refresh {item} {Encoding.ASCII.GetString(refresh.Key.Name)} {_decoder.Decode(refresh.Message, refresh.PayloadStart)}");

    protected internal override void OnPriming(scoped in RwfMsg refresh) =>
        Lines.Add($"priming {Encoding.ASCII.GetString(refresh.Key.Name)} {refresh.State.StreamState}");

    protected internal override void OnItemState(int item, scoped in RwfState state) =>
        Lines.Add($"state {item} {state.StreamState} {state.DataState}");

    protected internal override void OnUpdate(int item, scoped in UpdateHeader update)
    {
        Updates++;
        if (!RecordsUpdates)
            return;
        Action<int>? once = OnNextUpdate;
        OnNextUpdate = null;
        once?.Invoke(item);
        DecodeResult result = _decoder.Decode(update.Message, update.PayloadStart);
        Lines.Add($"update {item} {result} {_decoder.Kept(StampFields.UpdateIndex)}");
    }

    protected internal override void OnStatus(int item, scoped in RwfMsg status) =>
        Lines.Add($"status {item} {status.State.StreamState} {status.State.Code} {Encoding.ASCII.GetString(status.State.Text)}");

    protected internal override void OnGeneric(int item, scoped in RwfMsg message) => Lines.Add($"generic {item} {message.SeqNum}");

    protected internal override void OnAck(int item, scoped in RwfMsg ack) => Lines.Add($"ack {item} {ack.AckId}");

    protected internal override void OnFinishing() => Lines.Add("finishing");

    protected internal override void OnClosed(CloseReason reason) => Closed = reason;
}
