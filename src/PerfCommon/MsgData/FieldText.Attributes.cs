using PerfCommon.Codec;

namespace PerfCommon.MsgData;

internal static partial class FieldText
{
    private const string TimelinessPrefix = "RSSL_QOS_TIME_";
    private const string RatePrefix = "RSSL_QOS_RATE_";
    private const string StreamStatePrefix = "RSSL_STREAM_";
    private const string DataStatePrefix = "RSSL_DATA_";
    private const string StateCodePrefix = "RSSL_SC_";
    private const string DataTypePrefix = "RSSL_DT_";

    // Names whose words do not follow from the member names by inserting underscores.
    private static readonly string[] TimelinessNames = ["UNSPECIFIED", "REALTIME", "DELAYED_UNKNOWN", "DELAYED"];
    private static readonly string[] RateNames = ["UNSPECIFIED", "TICK_BY_TICK", "JIT_CONFLATED", "TIME_CONFLATED"];

    // The types that can be given as text, and their names.
    private static readonly DataType[] DataTypes =
    [
        DataType.Int, DataType.UInt, DataType.Float, DataType.Double, DataType.Real, DataType.Date, DataType.Time, DataType.DateTime,
        DataType.Qos, DataType.State, DataType.Enum, DataType.Buffer, DataType.AsciiString, DataType.Utf8String, DataType.RmtesString,
    ];

    private static readonly string[] DataTypeNames = Array.ConvertAll(DataTypes, NameOf);

    /// <summary>Reads the name of a field's type, such as <c>RSSL_DT_UINT</c>; types whose values cannot be given as text are refused.</summary>
    public static bool TryParseDataType(string text, out DataType type)
    {
        int at = Array.IndexOf(DataTypeNames, text);
        type = at < 0 ? default : DataTypes[at];
        return at >= 0;
    }

    /// <summary>Returns the name of a type in message files: <c>RSSL_DT_ASCII_STRING</c>.</summary>
    public static string NameOf(DataType type) => DataTypePrefix + type switch
    {
        DataType.UInt => "UINT",
        DataType.DateTime => "DATETIME",
        DataType.AsciiString => "ASCII_STRING",
        DataType.Utf8String => "UTF8_STRING",
        DataType.RmtesString => "RMTES_STRING",
        _ => type.ToString().ToUpperInvariant(),
    };

    /// <summary>Reads <c>RSSL_QOS_TIME_REALTIME</c> and similar names.</summary>
    public static bool TryParseTimeliness(string text, out byte timeliness) =>
        TryFind(TimelinessNames, text, TimelinessPrefix, out timeliness);

    /// <summary>Reads <c>RSSL_QOS_RATE_TICK_BY_TICK</c> and similar names.</summary>
    public static bool TryParseRate(string text, out byte rate) => TryFind(RateNames, text, RatePrefix, out rate);

    /// <summary>Reads <c>RSSL_STREAM_OPEN</c> and similar names.</summary>
    public static bool TryParseStreamState(string text, out StreamState state) =>
        TryFindMember(Compact(text, StreamStatePrefix), out state);

    /// <summary>Reads <c>RSSL_DATA_OK</c> and similar names.</summary>
    public static bool TryParseDataState(string text, out DataState state) =>
        TryFindMember(Compact(text, DataStatePrefix), out state);

    /// <summary>Reads <c>RSSL_SC_NOT_FOUND</c> and similar names; the prefix may be missing (<c>GAP_FILL</c>).</summary>
    public static bool TryParseStateCode(string text, out StateCode code) =>
        TryFindMember(Compact(text, text.StartsWith(StateCodePrefix, StringComparison.Ordinal) ? StateCodePrefix : ""), out code);

    private static bool TryFind(string[] names, string text, string prefix, out byte number)
    {
        int at = text.StartsWith(prefix, StringComparison.Ordinal) ? Array.IndexOf(names, text[prefix.Length..]) : -1;
        number = (byte)Math.Max(at, 0);
        return at >= 0;
    }

    // The wire's names differ from ours in underscores only: NOT_FOUND, NotFound.
    private static string Compact(string text, string prefix) =>
        text.StartsWith(prefix, StringComparison.Ordinal) ? text[prefix.Length..].Replace("_", "", StringComparison.Ordinal) : "?";

    private static bool TryFindMember<T>(string name, out T member)
        where T : struct, Enum
    {
        int at = Array.FindIndex(Enum.GetNames<T>(), known => known.Equals(name, StringComparison.OrdinalIgnoreCase));
        member = at < 0 ? default : Enum.GetValues<T>()[at];
        return at >= 0;
    }
}
