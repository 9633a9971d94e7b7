using System.Globalization;

namespace PerfTools.Hosting.Options;

/// <summary>How long a client that comes back waits before it connects again; the wait doubles with each attempt that fails.</summary>
/// <param name="First">The wait behind a loss, above 0.</param>
/// <param name="Max">The longest between two attempts; not below the first.</param>
internal sealed record ReconnectDelay(TimeSpan First, TimeSpan Max)
{
    private const int MaxMillis = 3_600_000;

    /// <summary>0.5 s, doubling to 30 s.</summary>
    public static ReconnectDelay Usual { get; } = new(TimeSpan.FromSeconds(0.5), TimeSpan.FromSeconds(30));

    /// <summary>Reads <c>500</c> or <c>500,30000</c>, in milliseconds; null for other text. One number is also the longest wait.</summary>
    public static ReconnectDelay? TryParse(string text)
    {
        int[] millis = [.. text.Split(',').Select(Read)];
        bool isWhole = millis.Length is 1 or 2 && Array.TrueForAll(millis, one => one is > 0 and <= MaxMillis);
        return isWhole && millis[0] <= millis[^1] ? new(TimeSpan.FromMilliseconds(millis[0]), TimeSpan.FromMilliseconds(millis[^1])) : null;
    }

    /// <summary>As it is typed.</summary>
    public override string ToString() => string.Create(CultureInfo.InvariantCulture, $"{First.TotalMilliseconds},{Max.TotalMilliseconds}");

    private static int Read(string text) =>
        int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out int number) ? number : 0;
}
