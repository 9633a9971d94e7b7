using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.MsgData;
using PerfCommon.Workers;

namespace PerfCommon.Sessions;

/// <summary>
/// The updates that the connections of a run are sent: encoded field by field each time, or copied from messages encoded once, or of an
/// exact size.
/// </summary>
/// <remarks>Shared by all connections. Immutable but for <see cref="Sized"/>.</remarks>
/// <param name="messages">Their fields.</param>
/// <param name="isPreEncoded">True copies. <c>-preEnc</c></param>
/// <param name="sized">Those of an exact size, in the place of both; null for none. <c>-updateSize</c></param>
internal sealed class UpdateSource(MessageData messages, bool isPreEncoded = false, SizedMessages? sized = null)
{
    private readonly FieldListTemplate[] _fields = [.. messages.Updates];
    private readonly FieldMapTemplate[] _maps = [.. messages.OrderBooks?.Updates ?? []];
    private readonly MessageTemplate[] _encoded = isPreEncoded ? [.. messages.Updates.Select(Encode)] : [];
    private readonly MessageTemplate[] _encodedMaps = isPreEncoded ? [.. (messages.OrderBooks?.Updates ?? []).Select(Encode)] : [];

    /// <summary>
    /// Those of an exact size; null for none, always or never. Any thread changes it, a connection takes it up with its next tick.
    /// </summary>
    public SizedMessages? Sized
    {
        get => Volatile.Read(ref field);
        set => Volatile.Write(ref field, value);
    } = sized;

    /// <summary>Makes the updates of one connection.</summary>
    /// <param name="plan">How many, and which with a stamp.</param>
    /// <param name="recording">What the connection's worker records.</param>
    /// <param name="output">The connection's.</param>
    /// <param name="items">The connection's items; those in rotation get them, each what its view leaves.</param>
    /// <param name="counts">What each of them counts where updates have an exact size.</param>
    public Burst CreateBurst(BurstPlan plan, WorkerRecording recording, MessageOutput output, ProviderItems items,
        SizedCounts? counts = null)
    {
        if (Sized is { } exact)
            return Create(new SizedUpdateEncoder(items.Rotation, exact, counts!));
        UpdateEncoder encoder = new(items.Rotation, _fields, _maps, items.Views);
        if (!isPreEncoded)
            return Create(encoder);
        ViewedTemplates<MessageTemplate> viewed = new(
            items.Views, view => Array.ConvertAll(_fields, fields => Encode(fields.Select(view))));
        return Create(new PreEncodedUpdateEncoder(items.Rotation, _encoded, _encodedMaps, viewed, encoder.MaxBytes));

        Burst Create<TEncoder>(TEncoder encoder)
            where TEncoder : struct, IMessageEncoder => new Burst<TEncoder>(plan, recording, output, encoder);
    }

    private static MessageTemplate Encode(FieldListTemplate fields) => new(
        new RwfMsg { MsgClass = MsgClass.Update, DomainType = DomainType.MarketPrice, ContainerType = DataType.FieldList }, fields,
        StampFields.Update);

    private static MessageTemplate Encode(FieldMapTemplate map) => new(
        new RwfMsg { MsgClass = MsgClass.Update, DomainType = DomainType.MarketByOrder, ContainerType = DataType.Map }, map,
        StampFields.Update);
}
