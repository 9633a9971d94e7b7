using System.Globalization;

namespace PerfTools.Hosting.Options;

/// <summary>How large a file of results grows before another takes its place, and how many full ones are kept.</summary>
/// <param name="Bytes">Largest size; a file ends with a whole line.</param>
/// <param name="Kept">Full ones beside the one that is written, 1 or more: <c>.1</c> is the last of them.</param>
internal sealed record FileRotation(long Bytes, int Kept)
{
    /// <summary>What an option takes, after "is not".</summary>
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

    /// <summary>As it is typed.</summary>
    public override string ToString()
    {
        (string word, long unit) = Array.Find(Units, unit => Bytes % unit.Bytes == 0);
        return string.Create(CultureInfo.InvariantCulture, $"{Bytes / unit}{word},{Kept}");
    }
}
