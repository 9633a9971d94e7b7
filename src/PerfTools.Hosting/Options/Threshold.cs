using System.Globalization;

namespace PerfTools.Hosting.Options;

/// <summary>One condition on a result: a figure, and its minimum or maximum.</summary>
/// <param name="Metric">The name of the figure, one of <see cref="Metrics"/>, or <see cref="Users"/>.</param>
/// <param name="Sign">&lt;, &lt;=, &gt; or &gt;=: the relation of the figure to the limit.</param>
/// <param name="Limit">The limit, in the unit of the figure: microseconds for times.</param>
/// <param name="Unit">The typed unit.</param>
/// <param name="Text">The threshold as it was typed.</param>
internal sealed record Threshold(string Metric, string Sign, double Limit, ThresholdUnit Unit, string Text)
{
    /// <summary>Suffix of a figure's name: in percent of the requested value.</summary>
    public const string Share = "%";

    public const string Rate = "rate";
    public const string Images = "images";
    public const string Cpu = "cpu";
    public const string Memory = "memory";
    public const string NotSent = "notSent";
    public const string Lost = "lost";
    public const string SendLag = "sendLagP99";

    /// <summary>The number of users that a hub holds: only of ramps.</summary>
    public const string Users = "users";

    private static readonly string[] Signs = ["<=", ">=", "<", ">"];

    /// <summary>The message size for round trips; null for every size.</summary>
    public int? Bytes { get; init; }

    /// <summary>The role that <see cref="Metric"/> belongs to; null for a figure of the whole run.</summary>
    public string? Role { get; init; }

    /// <summary>The latency figures, in microseconds.</summary>
    public static IReadOnlyList<string> Latencies { get; } = ["avg", "max", "p50", "p90", "p99", "p99.9", "p99.99"];

    /// <summary>Every figure that can be named. Percentages of the requested value follow the plain figures.</summary>
    public static IReadOnlyList<string> Metrics { get; } =
        [.. Latencies, Rate, Rate + Share, Images, Images + Share, Cpu, Memory, NotSent, Lost, SendLag];

    /// <summary>Returns the figures of a tool that has all but some.</summary>
    public static IReadOnlyList<string> AllBut(params string[] metrics) => [.. Metrics.Except(metrics)];

    /// <summary>Describes a valid list of thresholds, as the end of the sentence "'x' is not ...".</summary>
    /// <param name="metrics">The figures that can be named.</param>
    public static string ListKind(IReadOnlyList<string> metrics) =>
        $"a list such as {Example(metrics)} of {string.Join(", ", metrics)}, limits with ns, us, ms, s, % or MB";

    /// <summary>Returns an example of two thresholds.</summary>
    public static string Example(IReadOnlyList<string> metrics) =>
        (metrics.Contains("p99") ? "p99<100us," : "notSent<1,") + (metrics.Contains(Rate + Share) ? "rate>=99%" : "rate>=99000");

    /// <summary>Reads thresholds separated by commas; null when one of them cannot be read.</summary>
    /// <param name="text">For instance <c>p99&lt;100us,rate&gt;=99%</c>.</param>
    /// <param name="metrics">The figures that can be named, some of <see cref="Metrics"/>, or <see cref="Users"/>.</param>
    /// <param name="namesRoles">True where <c>role.figure</c> names a figure of a role's own catalogue (docs/json-lines.md).</param>
    public static IReadOnlyList<Threshold>? TryParseList(string text, IReadOnlyList<string> metrics, bool namesRoles = false)
    {
        Threshold?[] thresholds = [.. text.Split(',').Select(part => TryParse(part.Trim(), metrics, namesRoles))];
        return thresholds.Contains(null) ? null : [.. thresholds.OfType<Threshold>()];
    }

    /// <summary>Returns the text as it was typed.</summary>
    public override string ToString() => Text;

    /// <summary>True when a figure, in the unit of the limit, keeps the threshold.</summary>
    public bool IsKeptBy(double figure) => Sign switch
    {
        "<" => figure < Limit,
        "<=" => figure <= Limit,
        ">" => figure > Limit,
        _ => figure >= Limit,
    };

    /// <summary>Formats a figure in the typed unit.</summary>
    public string Show(double figure) => string.Create(CultureInfo.InvariantCulture, $"{figure / Unit.Size:0.###}{Unit.Name}");

    private static Threshold? TryParse(string text, IReadOnlyList<string> metrics, bool namesRoles)
    {
        int at = text.IndexOfAny(['<', '>']);
        if (at < 0)
            return null;
        string sign = Signs.First(text[at..].StartsWith);
        string limit = text[(at + sign.Length)..].Trim();
        string name = text[..at].Trim();
        ThresholdUnit unit = ThresholdUnit.Find(limit);
        bool isShare = unit.Name == Share && !name.Equals(Cpu, StringComparison.OrdinalIgnoreCase);
        string? metric = metrics.FirstOrDefault(known => known.Equals(isShare ? name + Share : name, StringComparison.OrdinalIgnoreCase));
        if (!TryReadNumber(limit[..^unit.Name.Length], out double value))
            return null;
        if (metric is not null)
            return unit.Fits(metric) ? new(metric, sign, value * unit.Size, unit, text) : null;
        return namesRoles && name.Split('.', 2) is [{ Length: > 0 } role, { Length: > 0 } figure]
            ? new(figure, sign, value * unit.Size, unit, text) { Role = role } : null;
    }

    private static bool TryReadNumber(string text, out double value) =>
        double.TryParse(text, NumberStyles.Float, CultureInfo.InvariantCulture, out value) && double.IsFinite(value);
}

/// <summary>A unit after the number of a threshold.</summary>
/// <param name="Name">The unit as it is typed; empty for none.</param>
/// <param name="Size">The size of the unit in the figure's unit: times are in microseconds.</param>
/// <param name="Metrics">The figures for which it is valid.</param>
internal sealed record ThresholdUnit(string Name, double Size, IReadOnlyList<string> Metrics)
{
    private const double MicrosPerSecond = 1_000_000;
    private static readonly string[] Times = [.. Threshold.Latencies, Threshold.SendLag];

    private static readonly ThresholdUnit[] All =
    [
        new("ns", 1 / 1000.0, Times),
        new("us", 1, Times),
        new("ms", 1000, Times),
        new("s", MicrosPerSecond, Times),
        new(Threshold.Share, 1, [Threshold.Rate + Threshold.Share, Threshold.Images + Threshold.Share, Threshold.Cpu]),
        new("MB", 1, [Threshold.Memory]),
        new("", 1, [.. Threshold.Metrics.Where(metric => !metric.EndsWith('%')), Threshold.Users]),
    ];

    /// <summary>Finds the unit at the end of a limit.</summary>
    public static ThresholdUnit Find(string limit) => All.First(unit => limit.EndsWith(unit.Name, StringComparison.Ordinal));

    public bool Fits(string metric) => Metrics.Contains(metric);
}
