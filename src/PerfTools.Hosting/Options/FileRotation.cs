using System.Globalization;

namespace PerfTools.Hosting.Options;

/// <summary>The size at which a result file is replaced by a new one, and the number of full ones kept.</summary>
/// <param name="Bytes">Maximum size; a file ends with a complete line.</param>
/// <param name="Kept">Full ones kept in addition to the one being written, 1 or more: <c>.1</c> is the latest of them.</param>
internal sealed record FileRotation(long Bytes, int Kept)
{
    /// <summary>Description of a valid value, after "is not".</summary>
    public const string Kind = "a size of 1KB or more such as 64MB, or a size and a number of files such as 64MB,8";

    private const int UsualKept = 8;
    private const int MaxKept = 1_000;
    private const long MinBytes = 1_000;

    // the powers of 1,000, and the word for each
    private static readonly (string Word, long Bytes)[] Units = [("GB", 1_000_000_000), ("MB", 1_000_000), ("KB", 1_000), ("", 1)];

    /// <summary>Reads <c>64MB</c> or <c>64MB,8</c>; null for other text, and for less than 1,000 bytes.</summary>
    public static FileRotation? TryParse(string text)
    {
        string[] parts = text.Split(',');
        int kept = UsualKept;
        (string word, long unit) = Array.Find(Units, unit => parts[0].EndsWith(unit.Word, StringComparison.OrdinalIgnoreCase));
        bool isSize = long.TryParse(parts[0].AsSpan(0, parts[0].Length - word.Length), NumberStyles.None, CultureInfo.InvariantCulture,
            out long count);
        bool isWhole = parts.Length == 1
            || (parts.Length == 2 && int.TryParse(parts[1], NumberStyles.None, CultureInfo.InvariantCulture, out kept));
        return isSize && isWhole && kept is >= 1 and <= MaxKept && count <= long.MaxValue / unit && count * unit >= MinBytes
            ? new(count * unit, kept) : null;
    }

    /// <summary>Writes the value as it is typed.</summary>
    public override string ToString()
    {
        (string word, long unit) = Array.Find(Units, unit => Bytes % unit.Bytes == 0);
        return string.Create(CultureInfo.InvariantCulture, $"{Bytes / unit}{word},{Kept}");
    }
}
