using Fuzz.Targets;
using PerfCommon.Codec;

namespace PerfCommon.Tests.Codec;

/// <summary>Names of data types in the vectors.</summary>
internal static class TypeNames
{
    private static readonly Dictionary<DataType, string> Names = Enum.GetValues<DataType>().ToDictionary(t => t, NameOf);

    private static readonly Dictionary<string, DataType> Types = Names.ToDictionary(n => n.Value, n => n.Key);

    public static DataType Parse(string name) => Types.TryGetValue(name, out DataType type)
        ? type
        : (DataType)byte.Parse(name, System.Globalization.CultureInfo.InvariantCulture);

    public static string Of(DataType type) => Names.TryGetValue(type, out string? name)
        ? name
        : ((byte)type).ToString(System.Globalization.CultureInfo.InvariantCulture);

    /// <summary>True for containers that have entries, messages included.</summary>
    public static bool IsStructured(DataType type) => RwfValidator.IsStructured(type);

    // AsciiString is ASCII_STRING, but UInt is UINT and DateTime is DATETIME; set types have their size after an underscore.
    private static string NameOf(DataType type)
    {
        string name = type.ToString();
        string separated = string.Concat(name.Select((c, i) => i > 0 && char.IsUpper(c) && !char.IsUpper(name[i - 1]) ? $"_{c}" : $"{c}"));
        if ((byte)type is >= 64 and <= 84)
            separated = System.Text.RegularExpressions.Regex.Replace(separated, @"_?(\d+)_?", "_$1");
        return separated.ToUpperInvariant().Replace("DATE_TIME", "DATETIME", StringComparison.Ordinal);
    }
}
