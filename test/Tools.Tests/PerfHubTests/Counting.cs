using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.Measurement;
using PerfCommon.MsgData;
using PerfCommon.Sessions;

namespace Tools.Tests.PerfHubTests;

/// <summary>A provider whose fields are numbers: each update of an item has its next one, and the image the last.</summary>
internal sealed class NumberProvider(string service = NumberProvider.ServiceName, ushort serviceId = 1) : ProviderHandler
{
    public const string ServiceName = "NUMBERS";

    /// <summary>The field with the number; another is in images alone.</summary>
    public const short Number = StampFields.Update;

    public const short Constant = StampFields.Generic;

    public const int MaxImageBytes = 64;

    private readonly Dictionary<string, ulong> _last = [];

    /// <summary>True while updates are sent in every turn.</summary>
    public bool IsUpdating { get; set; } = true;

    /// <summary>Posts and generic messages that came.</summary>
    public List<string> Received { get; } = [];

    public int Requests { get; private set; }

    public int Closes { get; private set; }

    /// <summary>False where posts are neither sent back nor acknowledged.</summary>
    public bool IsReflecting { get; init; } = true;

    protected internal override bool WantsTicks => IsUpdating;

    protected internal override int MaxRefreshBytes => MaxImageBytes;

    public ServiceOffer Describe() => new() { Name = service, Id = serviceId };

    protected internal override ItemRejection OnRequest(scoped in ItemRequest request)
    {
        Requests++;
        return ItemRejection.None;
    }

    protected internal override void EncodeRefresh(int item, ref RwfWriter writer) =>
        WriteImage(ref writer, _last.GetValueOrDefault(NameOf(item)));

    protected internal override bool OnTick(in TickInfo tick)
    {
        for (int i = 0; i < Session.UpdatingItems; i++)
            Update(Session.UpdatingItemAt(i));
        return true;
    }

    protected internal override void OnPost(int item, scoped in RwfMsg post)
    {
        Received.Add($"Post {NameOf(item)}");
        if (IsReflecting)
            Session.Reflect(item, post);
    }

    protected internal override void OnGeneric(int item, scoped in RwfMsg message) => Received.Add($"Generic {NameOf(item)}");

    protected internal override void OnClose(int item) => Closes++;

    private void Update(int item)
    {
        ulong next = _last.GetValueOrDefault(NameOf(item)) + 1;
        if (Session.TrySendUpdate(item, Fields.None, next))
            _last[NameOf(item)] = next;
    }

    /// <summary>Writes an image with the last number of an item.</summary>
    public static void WriteImage(ref RwfWriter writer, ulong number)
    {
        writer.BeginFieldList();
        writer.BeginField(Number);
        writer.WriteUInt(number);
        writer.BeginField(Constant);
        writer.WriteUInt(7);
        writer.EndFieldList();
    }

    private string NameOf(int item) => System.Text.Encoding.ASCII.GetString(Session.NameOf(item));
}

/// <summary>A non-interactive provider of the same numbers: an update of each item in every tick.</summary>
internal sealed class NumberPublisher : PublisherHandler
{
    private readonly Dictionary<int, ulong> _last = [];

    public bool IsUpdating { get; set; } = true;

    public ulong LastOf(int item) => _last.GetValueOrDefault(item);

    /// <summary>Publishes the image of each item once more.</summary>
    public void Republish()
    {
        for (int item = 0; item < Session.ItemCount; item++)
            Session.Items.EnqueueRefresh(item, solicited: false);
        Session.Worker.Activate(Session);
    }

    protected internal override bool WantsTicks => IsUpdating;

    protected internal override int MaxRefreshBytes => NumberProvider.MaxImageBytes;

    protected internal override void EncodeRefresh(int item, ref RwfWriter writer) =>
        NumberProvider.WriteImage(ref writer, _last.GetValueOrDefault(item));

    protected internal override bool OnTick(in TickInfo tick)
    {
        for (int i = 0; i < Session.UpdatingItems; i++)
        {
            int item = Session.UpdatingItemAt(i);
            ulong next = _last.GetValueOrDefault(item) + 1;
            if (Session.TrySendUpdate(item, Fields.None, next))
                _last[item] = next;
        }

        return true;
    }
}

/// <summary>Field lists for tests.</summary>
internal static class Fields
{
    public static FieldListTemplate None { get; } = new FieldListBuilder(FieldDictionary.Default).Build();
}

/// <summary>A consumer that checks the order of the numbers of each item: after an image with n comes n + 1.</summary>
internal sealed class NumberConsumer : ConsumerHandler
{
    private readonly Dictionary<int, ulong> _last = [];
    private readonly Dictionary<int, DataState> _states = [];

    /// <summary>What came that must not.</summary>
    public List<string> Faults { get; } = [];

    /// <summary>True where updates may be left out, but never come twice or late.</summary>
    public bool AllowsGaps { get; set; }

    /// <summary>True where an item has several providers, each with separate numbers.</summary>
    public bool AllowsMixing { get; init; }

    public int Images { get; private set; }

    public int TemporaryImages { get; private set; }

    public int Updates { get; private set; }

    /// <summary>Updates of items whose state was suspect, which a status or an image had said.</summary>
    public int UpdatesOfSuspect { get; private set; }

    public List<string> States { get; } = [];

    public List<NakCode> Acks { get; } = [];

    public int Generics { get; private set; }

    public int Items => _last.Count;

    public ulong LastOf(int item) => _last.GetValueOrDefault(item);

    /// <summary>The state of an item's data by what came last.</summary>
    public DataState StateOf(int item) => _states.GetValueOrDefault(item);

    protected internal override void OnRefresh(int item, scoped in RwfMsg refresh)
    {
        _states[item] = refresh.State.DataState;
        if (refresh.State.DataState != DataState.Ok)
        {
            TemporaryImages++;
            return;
        }

        Images++;
        _last[item] = Read(refresh.Payload, out bool hasConstant);
        if (!hasConstant)
            Faults.Add($"an image of item {item} without its constant field");
    }

    protected internal override void OnUpdate(int item, scoped in UpdateHeader update)
    {
        Updates++;
        if (StateOf(item) == DataState.Suspect)
            UpdatesOfSuspect++;
        ulong number = Read(update.Payload, out _);
        if (number == 0)
            return; // a post
        if (!_last.TryGetValue(item, out ulong last))
            Faults.Add($"update {number} of item {item} before its image");
        else if (!AllowsMixing && (AllowsGaps ? number <= last : number != last + 1))
            Faults.Add($"update {number} of item {item} after {last}");
        _last[item] = number;
    }

    protected internal override void OnStatus(int item, scoped in RwfMsg status)
    {
        _states[item] = status.State.DataState;
        States.Add($"{status.State.StreamState}/{status.State.DataState}");
    }

    protected internal override void OnGeneric(int item, scoped in RwfMsg message) => Generics++;

    protected internal override void OnAck(int item, scoped in RwfMsg ack) => Acks.Add(ack.NakCode);

    private static ulong Read(ReadOnlySpan<byte> list, out bool hasConstant)
    {
        ulong number = 0;
        hasConstant = false;
        FieldListReader.TryOpen(list, out FieldListReader fields);
        while (fields.TryReadNext(out FieldEntry entry) == DecodeResult.Success)
        {
            if (entry.FieldId == NumberProvider.Number)
                RwfPrimitives.TryReadUInt(entry.Content, out number);
            hasConstant |= entry.FieldId == NumberProvider.Constant;
        }

        return number;
    }
}
