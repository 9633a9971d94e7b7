using System.Text;
using PerfCommon.Codec;

namespace Tools.Tests.Replay;

/// <summary>
/// The meaning of a message, as far as two programs must agree on it: no texts, no payload of items, no names of programs and hosts.
/// </summary>
internal sealed record Said
{
    /// <summary>The offset of the stream id in every message.</summary>
    public const int StreamIdOffset = 4;

    public required MsgClass Class { get; init; }

    public required DomainType Domain { get; init; }

    public required int StreamId { get; init; }

    public int Flags { get; init; }

    public string Key { get; init; } = "";

    public string Qos { get; init; } = "";

    public string State { get; init; } = "";

    /// <summary>Attributes of a login, services of a directory.</summary>
    public string Content { get; init; } = "";

    /// <summary>True for what a rate or a tick sends: how many there are, and where between the others, is free.</summary>
    public bool IsPaced => Domain == DomainType.MarketPrice && Class is MsgClass.Update or MsgClass.Generic or MsgClass.Post;

    /// <summary>True for an image of an item.</summary>
    public bool IsImage => Class == MsgClass.Refresh && Domain == DomainType.MarketPrice;

    /// <summary>True for a part of a dictionary.</summary>
    public bool IsDictionaryPart => Class == MsgClass.Refresh && Domain == DomainType.Dictionary;

    /// <summary>Reads a message; a message that cannot be decoded fails the test.</summary>
    public static Said From(ReadOnlySpan<byte> message)
    {
        DecodeResult result = RwfMsg.TryDecode(message, out RwfMsg msg);
        if (result != DecodeResult.Success)
            throw new InvalidDataException($"{result}: {Convert.ToHexString(message)}");
        return new Said
        {
            Class = msg.MsgClass,
            Domain = msg.DomainType,
            StreamId = msg.StreamId,
            Flags = msg.Flags,
            Key = KeyOf(msg),
            Qos = QosOf(msg),
            State = StateOf(msg),
            Content = ContentMeaning.Of(msg),
        };
    }

    /// <summary>The status that closes a stream.</summary>
    public static Said Closing(Said request, StreamState stream, StateCode code, DataState data = DataState.Suspect) => new()
    {
        Class = MsgClass.Status,
        Domain = request.Domain,
        StreamId = request.StreamId,
        Flags = StatusFlags.HasState,
        State = $"{stream}/{data}/{code}",
    };

    /// <summary>The last, or only, part of a dictionary.</summary>
    public static Said WholeDictionary(Said request) => new()
    {
        Class = MsgClass.Refresh,
        Domain = DomainType.Dictionary,
        StreamId = request.StreamId,
        Flags = RefreshFlags.HasMsgKey | RefreshFlags.Solicited | RefreshFlags.RefreshComplete,
        Key = request.Key[request.Key.IndexOf("name ", StringComparison.Ordinal)..], // answers are compared without their service
        State = $"{StreamState.Open}/{DataState.Ok}/{StateCode.None}",
    };

    public override string ToString() =>
        $"{Domain} {Class} stream {StreamId} flags 0x{Flags:x} key[{Key}] qos[{Qos}] state[{State}] {Content}";

    private static string KeyOf(scoped in RwfMsg msg)
    {
        MsgKey key = msg.Key;
        StringBuilder text = new();
        if (key.Has(MsgKeyFlags.HasServiceId) && AllowedDifferences.IsServiceCompared(msg))
            text.Append(FormattableString.Invariant($"service {key.ServiceId} "));
        if (key.Has(MsgKeyFlags.HasName))
        {
            text.Append(FormattableString.Invariant(
                $"name {Encoding.UTF8.GetString(key.Name)} type {AllowedDifferences.NameTypeOf(key)} "));
        }

        if (key.Has(MsgKeyFlags.HasFilter))
            text.Append(FormattableString.Invariant($"filter 0x{key.Filter:x} "));
        if (key.Has(MsgKeyFlags.HasIdentifier))
            text.Append(FormattableString.Invariant($"identifier {key.Identifier} "));
        if (key.Has(MsgKeyFlags.HasAttrib))
            text.Append(FormattableString.Invariant($"attrib {key.AttribType}"));
        return text.ToString().TrimEnd();
    }

    private static string QosOf(scoped in RwfMsg msg) => msg.MsgClass switch
    {
        MsgClass.Request when msg.Has(RequestFlags.HasWorstQos) => $"{TextOf(msg.Qos)} to {TextOf(msg.WorstQos)}",
        MsgClass.Request when msg.Has(RequestFlags.HasQos) => TextOf(msg.Qos),
        MsgClass.Refresh when msg.Has(RefreshFlags.HasQos) => TextOf(msg.Qos),
        _ => "",
    };

    private static string TextOf(RwfQos qos) =>
        FormattableString.Invariant($"{qos.Timeliness}/{qos.Rate}/{(qos.Dynamic ? "dynamic" : "static")}/{qos.TimeInfo}/{qos.RateInfo}");

    private static string StateOf(scoped in RwfMsg msg) =>
        msg.MsgClass == MsgClass.Refresh || (msg.MsgClass == MsgClass.Status && msg.Has(StatusFlags.HasState))
            ? $"{msg.State.StreamState}/{msg.State.DataState}/{msg.State.Code}"
            : "";
}
