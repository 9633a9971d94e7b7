using System.Globalization;

namespace PerfTools.Hosting.Options;

/// <summary>This process's part of a load that several processes share.</summary>
/// <param name="Number">1 to <paramref name="Count"/>.</param>
/// <param name="Count">Number of parts, 1 or more.</param>
internal readonly record struct RunPart(int Number, int Count)
{
    private const int MaxCount = 10_000;

    /// <summary>The whole load.</summary>
    public static RunPart Whole { get; } = new(1, 1);

    /// <summary>Reads <c>2/3</c>.</summary>
    public static bool TryParse(string text, out RunPart part)
    {
        part = default;
        string[] halves = text.Split('/');
        if (halves.Length != 2 || !TryRead(halves[0], out int number) || !TryRead(halves[1], out int count))
            return false;
        part = new(number, count);
        return number >= 1 && number <= count && count <= MaxCount;
    }

    /// <summary>Writes the value as it is typed.</summary>
    public override string ToString() => string.Create(CultureInfo.InvariantCulture, $"{Number}/{Count}");

    private static bool TryRead(string text, out int number) =>
        int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out number);
}
