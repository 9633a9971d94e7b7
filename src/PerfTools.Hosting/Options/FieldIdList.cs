using System.Globalization;

namespace PerfTools.Hosting.Options;

/// <summary>Reads and writes field ids as they are typed: <c>22,25,30</c>.</summary>
internal static class FieldIdList
{
    /// <summary>Description of a valid value.</summary>
    public const string Kind = "a list of field ids such as 22,25,30";

    /// <summary>Reads a list; null for an invalid one.</summary>
    public static short[]? TryParse(string text)
    {
        string[] parts = text.Split(',');
        short[] ids = new short[parts.Length];
        for (int i = 0; i < parts.Length; i++)
        {
            if (!short.TryParse(parts[i], NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out ids[i]) || ids[i] == 0)
                return null;
        }

        return ids;
    }

    /// <summary>Writes a list as it is typed.</summary>
    public static string Format(ReadOnlySpan<short> ids) => string.Join(',', ids.ToArray());
}
