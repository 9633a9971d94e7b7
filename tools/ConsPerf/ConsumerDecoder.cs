using System.Runtime.CompilerServices;
using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.Measurement;
using PerfCommon.Sessions;
using PerfCommon.Workers;

namespace ConsPerf;

/// <summary>Decodes the field lists of one connection: every field, and says which of them the dictionary lacks. One owner thread.</summary>
/// <param name="options">Strictness; whether decoding is measured.</param>
/// <param name="session">The connection, which ends when its provider cannot be understood.</param>
/// <param name="unknown">The unknown fields of all connections.</param>
internal sealed class ConsumerDecoder(ConsPerfOptions options, ConsumerSession session, UnknownFields unknown)
{
    private readonly FieldListDecoder _fields = new(session.Dictionary.Types, StampFields.First, StampFields.Count);
    private readonly LatencySeries? _times = options.MeasureDecode ? session.Recording[Series.Decoding] : null;
    private readonly CounterSet _counters = session.Recording.Counters;
    private int _unknownTold;
    private FieldListDecoder? _uncounted;

    /// <summary>The stamp in the list decoded last; 0 for none.</summary>
    /// <param name="index">Which, of <see cref="StampFields"/>.</param>
    public ulong Stamp(int index) => _fields.Kept(index);

    /// <summary>Decodes the list that ends an update.</summary>
    /// <returns>False when it cannot be decoded: the session has failed then.</returns>
    public bool TryDecodeUpdate(ReadOnlySpan<byte> message, int payloadStart) =>
        Judge(_times is null ? _fields.Decode(message, payloadStart) : DecodeMeasured(message, payloadStart));

    /// <summary>Decodes the list that ends any other message; what is no field list is none of ours.</summary>
    /// <returns>False when it cannot be decoded: the session has failed then.</returns>
    public bool TryDecode(scoped in RwfMsg msg) =>
        msg.ContainerType != DataType.FieldList || Judge(_fields.Decode(msg.Message, msg.PayloadStart));

    /// <summary>Decodes a list that counts nowhere, whatever is wrong with it.</summary>
    public void DecodeUncounted(scoped in RwfMsg msg)
    {
        _uncounted ??= new FieldListDecoder(session.Dictionary.Types, StampFields.First, StampFields.Count);
        if (msg.ContainerType == DataType.FieldList)
            _uncounted.Decode(msg.Message, msg.PayloadStart);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private DecodeResult DecodeMeasured(ReadOnlySpan<byte> message, int payloadStart)
    {
        long from = Clock.NowNanos;
        DecodeResult result = _fields.Decode(message, payloadStart);
        _times!.Record(Clock.NowNanos - from);
        return result;
    }

    private bool Judge(DecodeResult result)
    {
        if (result is not (DecodeResult.Success or DecodeResult.NoData))
        {
            session.Fail(ConsumerFailureKind.BadMessage, "the provider sent a field list that cannot be decoded");
            return false;
        }

        if (_fields.UnknownFields != _counters[Counter.FieldsSkipped])
            NoteUnknown();
        return true;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void NoteUnknown()
    {
        _counters.Add(Counter.FieldsSkipped, _fields.UnknownFields - _counters[Counter.FieldsSkipped]);
        while (_unknownTold < _fields.UnknownIds.Count)
            Tell(_fields.UnknownIds[_unknownTold++]);
    }

    private void Tell(short fieldId)
    {
        int place = unknown.Add(fieldId);
        if (place > 0)
            _counters.Add(Counter.UnknownFields, 1);
        string what = $"field {fieldId} is not in the dictionary";
        if (options.StrictFields)
            session.Fail(ConsumerFailureKind.BadMessage, what);
        else if (place == 1)
            session.Recording.Notices.Add($"Warning: {what}; such fields are skipped and counted.");
    }
}
