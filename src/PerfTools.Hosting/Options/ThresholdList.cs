namespace PerfTools.Hosting.Options;

/// <summary>The thresholds of one <c>-assert</c>.</summary>
internal sealed class ThresholdList
{
    private readonly Threshold[] _thresholds;

    private ThresholdList(Threshold[] thresholds) => _thresholds = thresholds;

    /// <summary>What a text must be to be read, as the end of the sentence "'x' is not ...".</summary>
    public static string Kind { get; } =
        $"a list such as p99<=100,rate>=99000 of {string.Join(", ", Threshold.Metrics)}";

    /// <summary>Reads thresholds separated by commas.</summary>
    /// <param name="text">The text as typed.</param>
    /// <param name="list">The list; null when one of them cannot be read.</param>
    public static bool TryParse(string text, out ThresholdList? list)
    {
        ArgumentNullException.ThrowIfNull(text);
        List<Threshold> thresholds = [];
        list = null;
        foreach (string part in text.Split(','))
        {
            if (!Threshold.TryParse(part, out Threshold? threshold))
                return false;
            thresholds.Add(threshold!);
        }
        list = new([.. thresholds]);
        return true;
    }

    /// <summary>The first threshold that a result misses, as a sentence; null when all are kept.</summary>
    /// <param name="figureOf">The measured figure of a name; null when there is none.</param>
    public string? FindMiss(Func<string, double?> figureOf) =>
        _thresholds.Select(threshold => threshold.FindMiss(figureOf(threshold.Metric))).FirstOrDefault(miss => miss is not null);

    /// <summary>The list in the form that <see cref="TryParse"/> reads.</summary>
    public override string ToString() => string.Join<Threshold>(',', _thresholds);
}
