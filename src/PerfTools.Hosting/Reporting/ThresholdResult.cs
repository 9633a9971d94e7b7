using System.Globalization;
using System.Text.Json;
using PerfCommon.Measurement;
using PerfTools.Hosting.Options;

namespace PerfTools.Hosting.Reporting;

/// <summary>A figure that a threshold names.</summary>
/// <param name="Value">Times in microseconds; null when nothing was measured, or too few samples.</param>
/// <param name="Samples">Number of samples, where the value is based on samples.</param>
internal readonly record struct AssertedFigure(double? Value, long? Samples = null)
{
    /// <summary>Why there can be no value; null where there can.</summary>
    public string? Problem { get; init; }
}

/// <summary>The comparison of a result with a threshold.</summary>
internal sealed record ThresholdResult(Threshold Threshold, AssertedFigure Figure)
{
    private const char PercentileMark = 'p';

    public bool IsKept => Figure.Value is { } value && Threshold.IsKeptBy(value);

    /// <summary>A human-readable line: the threshold as it was typed, the figure, whether it was kept.</summary>
    public string Line => $"{Threshold}: {Found}, {(IsKept ? "kept" : "missed")}";

    /// <summary>The reason of a run that failed because of it.</summary>
    public string Reason => $"{Threshold}: {Threshold.Metric.TrimEnd('%')}{(Figure.Value is null ? ":" : " is")} {Found}";

    private string Found => Figure switch
    {
        { Problem: { } problem } => problem,
        { Value: { } value } => Threshold.Show(value),
        { Samples: { } samples } when SamplesNeeded > samples =>
            string.Create(CultureInfo.InvariantCulture, $"{samples:N0} samples, {SamplesNeeded:N0} needed"),
        { Samples: > 0 } => "samples outside of 0 to 1 hour, which percentiles do not show",
        _ => "nothing was measured",
    };

    // For a role's figure, the part after its name: sendLag.p99.9
    private string NameOfCell => Threshold.Role is null ? Threshold.Metric
        : Threshold.Metric[(Threshold.Metric.IndexOf($".{PercentileMark}", StringComparison.Ordinal) + 1)..];

    private long SamplesNeeded => double.TryParse(
        Threshold.Metric == Threshold.SendLag ? "99" : NameOfCell.TrimStart(PercentileMark), CultureInfo.InvariantCulture,
        out double percentile)
        ? LatencyFigures.SamplesNeeded(percentile) : 1;

    /// <summary>Writes it as an object of the array <c>assertions</c>.</summary>
    public void WriteJson(Utf8JsonWriter json)
    {
        json.WriteStartObject();
        json.WriteString("assertion", Threshold.Text);
        json.WriteBoolean("kept", IsKept);
        JsonFigures.WriteDouble(json, "figure", Figure.Value);
        if (Figure.Samples is { } samples)
            json.WriteNumber("samples", samples);
        json.WriteEndObject();
    }
}
