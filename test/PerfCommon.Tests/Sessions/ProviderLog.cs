using System.Text;
using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.Sessions;
using PerfCommon.Tests.Domains;
using PerfCommon.Transport;
using PerfCommon.Workers;

namespace PerfCommon.Tests.Sessions;

/// <summary>
/// Records the events of a provider's session; answers every post with an ack and every generic message with one of the same number.
/// </summary>
internal sealed class ProviderLog : ProviderHandler
{
    public List<string> Lines { get; } = [];

    /// <summary>Refuses the item of this name.</summary>
    public string? Refused { get; init; }

    public CloseReason? Closed { get; private set; }

    /// <summary>The names of the symbol list.</summary>
    public IReadOnlyList<string> Symbols { get; init; } = [];

    protected internal override int SymbolCount => Symbols.Count;

    protected internal override ReadOnlySpan<byte> SymbolAt(int index) => Encoding.ASCII.GetBytes(Symbols[index]);

    protected internal override int MaxRefreshBytes => SessionSamples.Messages.Refresh.EncodedBytes;

    protected internal override void EncodeRefresh(int item, ref RwfWriter writer) =>
        SessionSamples.Messages.Refresh.EncodeList(ref writer);

    protected internal override void OnOpened() => Lines.Add("opened");

    protected internal override void OnReady() => Lines.Add("ready");

    protected internal override ItemRejection OnRequest(scoped in ItemRequest request)
    {
        string name = Encoding.ASCII.GetString(request.Name);
        Lines.Add($"request {name}");
        return name == Refused ? ItemRejection.Qos : ItemRejection.None;
    }

    protected internal override void OnClose(int item) => Lines.Add($"close {item}");

    protected internal override void OnPost(int item, scoped in RwfMsg post)
    {
        Lines.Add($"post {item} {post.PostId}");
        Answer(new RwfMsg { MsgClass = MsgClass.Ack, DomainType = post.DomainType, StreamId = post.StreamId, AckId = post.PostId });
    }

    protected internal override void OnGeneric(int item, scoped in RwfMsg message)
    {
        Lines.Add($"generic {item} {message.SeqNum}");
        Answer(new RwfMsg
        {
            MsgClass = MsgClass.Generic,
            DomainType = message.DomainType,
            StreamId = message.StreamId,
            Flags = GenericFlags.HasSeqNum,
            SeqNum = message.SeqNum,
        });
    }

    protected internal override void OnClosed(CloseReason reason) => Closed = reason;

    private void Answer(scoped in RwfMsg answer) => Session.Output.TrySend(Wire.Encode(answer), MessageKind.Other);
}
