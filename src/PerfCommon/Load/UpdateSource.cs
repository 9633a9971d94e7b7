using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.MsgData;
using PerfCommon.Workers;

namespace PerfCommon.Load;

/// <summary>
/// Supplies the updates of a run's connections: encoded field by field each time, or copied from messages encoded once, or of an
/// exact size.
/// </summary>
/// <remarks>Shared by all connections. Immutable except <see cref="Sized"/>.</remarks>
/// <param name="messages">Fields of the updates.</param>
/// <param name="isPreEncoded">True copies encoded messages. <c>-preEnc</c></param>
/// <param name="sized">Messages of an exact size, which replace both; null for none. <c>-updateSize</c></param>
public sealed class UpdateSource(MessageData messages, bool isPreEncoded = false, SizedMessages? sized = null)
{
    private readonly FieldListTemplate[] _fields = [.. messages.Updates];
    private readonly FieldMapTemplate[] _maps = [.. messages.OrderBooks?.Updates ?? []];
    private readonly MessageTemplate[] _encoded = isPreEncoded ? [.. messages.Updates.Select(Encode)] : [];
    private readonly MessageTemplate[] _encodedMaps = isPreEncoded ? [.. (messages.OrderBooks?.Updates ?? []).Select(Encode)] : [];

    /// <summary>
    /// Messages of an exact size; null for none, always or never. Any thread may change it, a connection uses it from its next tick on.
    /// </summary>
    public SizedMessages? Sized
    {
        get => Volatile.Read(ref field);
        set => Volatile.Write(ref field, value);
    } = sized;

    /// <summary>Creates the updates of one connection.</summary>
    /// <param name="plan">Number of updates per tick, and those with a stamp.</param>
    /// <param name="recording">Recording of the connection's worker.</param>
    /// <param name="output">Output of the connection.</param>
    /// <param name="items">The items that receive updates.</param>
    /// <param name="views">Their views, by which updates are filtered.</param>
    /// <param name="counts">Counts of the items where updates have an exact size.</param>
    internal Burst CreateBurst(BurstPlan plan, WorkerRecording recording, MessageOutput output, ItemRotation items, ItemViews views,
        SizedCounts? counts = null)
    {
        if (Sized is { } exact)
            return Create(new SizedUpdateEncoder(items, exact, counts!));
        RotatingEncoder<UpdateMessage> encoder = new(default, items, _fields, _maps, views);
        if (!isPreEncoded)
            return Create(encoder);
        ViewedTemplates<MessageTemplate> viewed = new(
            views, view => Array.ConvertAll(_fields, fields => Encode(fields.Select(view))));
        return Create(new PreEncodedUpdateEncoder(items, _encoded, _encodedMaps, viewed, encoder.MaxBytes));

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
