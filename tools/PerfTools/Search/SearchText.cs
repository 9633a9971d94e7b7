using System.Globalization;
using PerfTools.Hosting.Options;
using PerfTools.Screen;

namespace PerfTools.Search;

/// <summary>Writes a search as text: a line for each run, and the closing block.</summary>
internal static class SearchText
{
    private const double Million = 1_000_000;
    private const double Whole = 100;
    private const int LabelChars = 17;
    private const string Unknown = "-";

    /// <summary>Latency in the words of <c>--stamp</c>.</summary>
    public static string Stamp(SearchResult result) => Stamp(result.Subject.StampsDue);

    /// <inheritdoc cref="Stamp(SearchResult)"/>
    public static string Stamp(bool? isDue) => isDue is { } due ? $"latency from the time {(due ? StampWords.Due : StampWords.Sent)}"
        : "latency of round trips";

    /// <summary>The same as a word of a file.</summary>
    public static string StampWord(SearchSubject subject) => subject.StampsDue == true ? StampWords.Due : StampWords.Sent;

    /// <summary>The headline.</summary>
    public static string Headline(SearchResult asked) =>
        $"Search of {asked.Subject.Name}: greatest {asked.Search.Over.Option} with {asked.Search.UntilText}; {Stamp(asked)}, "
        + $"{(asked.Subject.Seconds is { } seconds ? Line($"{seconds} s each, ") : "")}{(asked.Subject.StaysUp ? "roles stay up" : "roles anew for each")}, at most {asked.Search.Budget}";

    /// <summary>The line of a run.</summary>
    public static string Progress(SearchSample sample) =>
        Line($"{sample.Number,4}  {sample.Stage.ToString().ToLowerInvariant(),-8}{sample.Value,14:N0}  {Word(sample),-8}")
        + $"p50 {Figure.Micros(sample.Figures?.P50),7}   p99 {Figure.Micros(sample.Figures?.P99),7}   CPU {Cpu(sample),6} %"
        + ((sample.Disturbance ?? sample.Reason) is { } why ? $"   {why}" : "");

    /// <summary>The word for the outcome of a run.</summary>
    public static string Word(SearchSample sample) => sample.Disturbance is not null ? "dropped" : sample.IsKept ? "kept" : "missed";

    /// <summary>The block that ends a search.</summary>
    /// <param name="result">The search.</param>
    /// <param name="folder">Its folder, with a slash at its end.</param>
    public static IEnumerable<string> Closing(SearchResult result, string folder) =>
    [
        "",
        $"{result.Verdict}  {Capacity(result)}",
        Row("kept", $"{result.Search.UntilText}; {Stamp(result)}"),
        .. result.Answer is { Value: not null, IsConfirmed: true } ? [Row("confirmed", $"by {CapacitySearch.Confirmations} runs in a row")] : (string[])[],
        .. Limit(result) is { } limit ? [Row("limit", limit)] : (string[])[],
        Row("measured", Measured(result)),
        .. Dropped(result).Select(dropped => Row("dropped", dropped)),
        .. result.Run?.Placement is { } placement ? [Row("processors", placement)] : (string[])[],
        .. Curve(result.Curve, result.Curve is null ? "" : Knee(result)!, result.OtherCurve is null ? null : Stamp(result)),
        .. Curve(result.OtherCurve, result.OtherCurve is { } other ? Knee(other) : "", Stamp(!result.Subject.StampsDue)),
        Row("files", folder),
        Row("report", folder + SearchFiles.Page),
    ];

    /// <summary>The value with its interval: <c>4.36 million updates/s [4.2, 4.5], 95 % confidence</c>.</summary>
    public static string Capacity(SearchResult result)
    {
        if (result.Answer is not { Value: { } value, Interval: var interval })
            return $"no {result.Search.Over.Option} kept the thresholds";
        string unit = result.Subject.Unit + (result.Subject.IsForEachConnection ? " for each connection" : "");
        if (interval.High is not { } high || interval.Low is not { } low)
            return $"{Amount(value)} {unit}";
        string bounds = value >= Million ? Line($"[{low / Million:0.##}, {high / Million:0.##}]") : Line($"[{low:N0}, {high:N0}]");
        return Line($"{Amount(value)} {unit} {bounds}, {Whole * CapacityInterval.Confidence:F0} % confidence");
    }

    /// <summary>A value, from a million on in millions.</summary>
    public static string Amount(double value) => value >= Million ? Line($"{value / Million:0.###} million") : Line($"{value:N0}");

    /// <summary>Why the first missed value was missed; null when none was missed.</summary>
    public static string? Limit(SearchResult result) =>
        result.Answer.FirstMiss is { } miss ? $"at {Amount(miss.Value)}: {miss.Reason ?? "no reason given"}" : null;

    /// <summary>The number of runs and their duration.</summary>
    public static string Measured(SearchResult result) =>
        Line($"{result.Answer.Samples.Count + result.Answer.Dropped.Count} runs in {result.Answer.Seconds:N0} s of {result.Search.Budget}, ")
        + Line($"{result.Answer.Dropped.Count} dropped; {(result.Subject.StaysUp ? "roles stayed up" : "roles anew for each")}");

    /// <summary>Why runs were dropped, each reason once.</summary>
    public static IEnumerable<string> Dropped(SearchResult result) => result.Answer.Dropped.Select(sample => sample.Disturbance!).Distinct();

    /// <summary>Describes the knee of the curve; null without a curve.</summary>
    public static string? Knee(SearchResult result) => result.Curve is { } curve ? Knee(curve) : null;

    /// <summary>Describes the knee of a curve.</summary>
    public static string Knee(LoadCurve curve) => curve.Knee is { Sample: { Value: var value, Figures.P99: var p99 } } knee
        ? Line($"at {knee.Percent} %, {Amount(value)}: p99 {Figure.Micros(p99)} us, {Figure.Micros(curve.LowP99)} us at the lowest load")
        : "none: p99 stays below twice its value at the lowest load";

    /// <summary>Processor time of all roles; <c>-</c> where unknown.</summary>
    public static string Cpu(SearchSample sample) =>
        sample.Figures?.Roles.Sum(role => role.CpuCorePercent) is { } percent ? Figure.Percent(percent) : Unknown;

    private static IEnumerable<string> Curve(LoadCurve? curve, string knee, string? stamp)
    {
        if (curve is not { Points.Count: > 0 })
            yield break;
        if (stamp is not null)
            yield return Row("curve", stamp);
        yield return Row("knee", knee);
        yield return "";
        yield return "    load         value       p50       p99     p99.9    CPU %   memory      not sent";
        foreach (CurvePoint point in curve.Points)
        {
            SampleFigures? figures = point.Sample.Figures;
            yield return Line(
                $"   {point.Percent,4} %{point.Sample.Value,14:N0}{Figure.Micros(figures?.P50),10}{Figure.Micros(figures?.P99),10}{Figure.Micros(figures?.P999),10}")
                + Line($"{Cpu(point.Sample),9}{figures?.Roles.Sum(role => role.MemoryMegabytes),6:N0} MB{figures?.NotSent,14:N0}")
                + (point.Sample.Disturbance is { } disturbance ? $"   not drawn: {disturbance}" : point == curve.Knee ? "   knee" : "");
        }

        yield return "";
    }

    private static string Row(string label, string text) => $"    {label}".PadRight(LabelChars) + text;

    private static string Line(FormattableString text) => text.ToString(CultureInfo.InvariantCulture);
}
