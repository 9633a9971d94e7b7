using System.Diagnostics;
using PerfCommon.Codec;
using PerfCommon.Domains;

namespace PerfCommon.Subscriptions;

/// <summary>Kind of an item's event.</summary>
public enum ItemEventKind
{
    /// <summary>An image, or a part of one: all fields of the item.</summary>
    Refresh,

    /// <summary>Fields that changed.</summary>
    Update,

    /// <summary>The state changed; there are no fields.</summary>
    Status,
}

/// <summary>One event of an item: a copy, valid for as long as it is referenced. Any thread.</summary>
[DebuggerDisplay("{Kind} {Item,nq}, {ContainerType} of {Payload.Length} bytes")]
public sealed class ItemEvent
{
    private const int OwnBytes = 200; // of this object and its place in a queue, about

    private readonly FieldDictionary _dictionary;
    private byte[] _payload = [];
    private int _length;

    internal ItemEvent(SubscribedItem source, FieldDictionary dictionary) => (Source, _dictionary) = (source, dictionary);

    /// <summary>Name of the item.</summary>
    public string Item => Source.Name;

    /// <summary>Kind of the event.</summary>
    public ItemEventKind Kind { get; private set; }

    /// <summary>False for a part of an image that further parts follow.</summary>
    public bool IsComplete { get; private set; } = true;

    /// <summary>State of the stream; Unspecified in an update, which does not change it.</summary>
    public StreamState StreamState { get; private set; }

    /// <summary>State of the data; NoChange in an update.</summary>
    public DataState DataState { get; private set; }

    /// <summary>Code of the state.</summary>
    public StateCode Code { get; private set; }

    /// <summary>Text of the state, with control characters escaped; empty for none.</summary>
    public string Text { get; private set; } = "";

    /// <summary>Number of earlier events merged into this one, or replaced by it; 0 for none.</summary>
    public int Conflated { get; internal set; }

    /// <summary>Type of the payload.</summary>
    public DataType ContainerType { get; private set; } = DataType.NoData;

    /// <summary>The payload, as encoded by the provider; a merged field list where updates were merged.</summary>
    public ReadOnlyMemory<byte> Payload => _payload.AsMemory(0, _length);

    /// <summary>A reader of the values, by field id or name; it has none where the payload is no field list.</summary>
    public FieldValues Fields => new(ContainerType == DataType.FieldList ? _payload.AsSpan(0, _length) : default, _dictionary);

    internal SubscribedItem Source { get; }

    /// <summary>True for an event in the queue that another one has replaced.</summary>
    internal bool IsReplaced { get; set; }

    /// <summary>Memory that it uses, about.</summary>
    internal int Bytes => OwnBytes + _payload.Length + (Text.Length * sizeof(char));

    /// <summary>Sets all members to those of what arrived.</summary>
    internal void Set(scoped in Arrival arrival)
    {
        (Kind, IsComplete, ContainerType) = (arrival.Kind, arrival.IsComplete, arrival.ContainerType);
        SetState(arrival.State);
        SetPayload(arrival.Payload);
    }

    internal void SetState(scoped in RwfState state)
    {
        (StreamState, DataState, Code) = (state.StreamState, state.DataState, state.Code);
        Text = state.Text.IsEmpty ? "" : PrintableText.FromTerminated(state.Text);
    }

    internal void SetPayload(ReadOnlySpan<byte> payload)
    {
        if (_payload.Length < payload.Length)
            _payload = new byte[payload.Length];
        payload.CopyTo(_payload);
        _length = payload.Length;
    }
}

/// <summary>What arrived for an item. Borrows the message.</summary>
internal readonly ref struct Arrival
{
    public ItemEventKind Kind { get; init; }

    public bool IsComplete { get; init; }

    public RwfState State { get; init; }

    public DataType ContainerType { get; init; }

    public ReadOnlySpan<byte> Payload { get; init; }
}
