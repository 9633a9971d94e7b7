using System.Globalization;

namespace PerfTools.Hosting.Options;

/// <summary>The wait before a client reconnects; it doubles with each failed attempt.</summary>
/// <param name="First">The wait after a loss, above 0.</param>
/// <param name="Max">Maximum wait between two attempts; not below the first.</param>
internal sealed record ReconnectDelay(TimeSpan First, TimeSpan Max)
{
    private const int MaxMillis = 3_600_000;

    /// <summary>0.5 s, doubling to 30 s.</summary>
    public static ReconnectDelay Usual { get; } = new(TimeSpan.FromSeconds(0.5), TimeSpan.FromSeconds(30));

    /// <summary>Reads <c>500</c> or <c>500,30000</c>, in milliseconds; null for other text. A single number is also the maximum.</summary>
    public static ReconnectDelay? TryParse(string text)
    {
        int[] millis = [.. text.Split(',').Select(Read)];
        bool isWhole = millis.Length is 1 or 2 && Array.TrueForAll(millis, one => one is > 0 and <= MaxMillis);
        return isWhole && millis[0] <= millis[^1] ? new(TimeSpan.FromMilliseconds(millis[0]), TimeSpan.FromMilliseconds(millis[^1])) : null;
    }

    /// <summary>Writes the value as it is typed.</summary>
    public override string ToString() => string.Create(CultureInfo.InvariantCulture, $"{First.TotalMilliseconds},{Max.TotalMilliseconds}");

    private static int Read(string text) =>
        int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out int number) ? number : 0;
}
