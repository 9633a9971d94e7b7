using System.Runtime.CompilerServices;
using PerfCommon.Codec;
using PerfCommon.Domains;
using PerfCommon.Measurement;
using PerfCommon.Sessions;
using PerfCommon.Workers;

namespace ConsPerf;

/// <summary>
/// Decodes every field of the field lists and maps of one connection, and reports fields that the dictionary lacks. One owner thread.
/// </summary>
/// <param name="options">Whether errors are strict; whether decoding is measured.</param>
/// <param name="session">The connection, which fails when a message cannot be decoded.</param>
/// <param name="unknown">The unknown fields of all connections.</param>
internal sealed class ConsumerDecoder(ConsPerfOptions options, ConsumerSession session, UnknownFields unknown)
{
    private readonly FieldListDecoder _fields = session.Dictionary.CreateDecoder();
    private readonly LatencySeries? _times = options.MeasureDecode ? session.Recording[Series.Decoding] : null;
    private readonly CounterSet _counters = session.Recording.Counters;
    private long _skippedCounted; // of this decoder: the counter also has those of connections before
    private int _unknownReported;
    private FieldListDecoder? _uncounted;

    /// <summary>True when the message decoded last had a stamp of any kind.</summary>
    public bool HasStamp => _fields.HasKept;

    /// <summary>The stamp of the message decoded last; 0 for none.</summary>
    /// <param name="index">Index of the stamp in <see cref="StampFields"/>.</param>
    public ulong Stamp(int index) => _fields.Kept(index);

    /// <summary>True for payload types that are decoded; others are skipped.</summary>
    public static bool Accepts(DataType containerType) => containerType is DataType.FieldList or DataType.Map;

    /// <summary>Decodes the payload of an update.</summary>
    /// <returns>False when it cannot be decoded; the session has failed then.</returns>
    public bool TryDecodeUpdate(scoped in UpdateHeader update) => Judge(_times is null ? _fields.Decode(update) : DecodeTimed(update));

    /// <summary>Decodes the payload of any other message, if its type is decoded.</summary>
    /// <returns>False when it cannot be decoded; the session has failed then.</returns>
    public bool TryDecode(scoped in RwfMsg msg) => !Accepts(msg.ContainerType) || Judge(_fields.Decode(msg));

    /// <summary>Decodes a payload without any count; errors in it are ignored.</summary>
    public void DecodeUncounted(scoped in RwfMsg msg)
    {
        _uncounted ??= session.Dictionary.CreateDecoder();
        if (Accepts(msg.ContainerType))
            _uncounted.Decode(msg);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private DecodeResult DecodeTimed(scoped in UpdateHeader update)
    {
        long from = Clock.NowNanos;
        DecodeResult result = _fields.Decode(update);
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

        if (_fields.UnknownFields != _skippedCounted)
            CountUnknown();
        return true;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void CountUnknown()
    {
        _counters.Add(Counter.FieldsSkipped, _fields.UnknownFields - _skippedCounted);
        _skippedCounted = _fields.UnknownFields;
        while (_unknownReported < _fields.UnknownIds.Count)
            ReportUnknown(_fields.UnknownIds[_unknownReported++]);
    }

    private void ReportUnknown(short fieldId)
    {
        int place = unknown.Add(fieldId);
        if (place > 0)
            _counters.Add(Counter.UnknownFields, 1);
        if (options.StrictFields)
            session.Fail(ConsumerFailureKind.BadMessage, $"field {fieldId} is not in the dictionary");
        else if (place == 1)
            session.Recording.Report(ConsumerNotices.UnknownField, fieldId);
    }
}
