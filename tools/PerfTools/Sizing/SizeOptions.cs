using System.Globalization;
using PerfTools.Hosting.CommandLine;
using PerfTools.Screen;

namespace PerfTools.Sizing;

/// <summary>The load for which a system is sized, and the measurements to use. Vary it with <c>with</c>.</summary>
internal sealed record SizeOptions
{
    private const double Percent = 100;
    private const double MaxRate = 1e10, MaxItems = 1e9, MaxUsers = 1e7, MaxUserRate = 1e7;

    /// <summary>Updates published per second. <c>--rate</c></summary>
    public SizeAmount Rate { get; init; } = new(1_000_000);

    /// <summary>The number of items; null for the measured number. <c>--items</c></summary>
    public SizeAmount? Items { get; init; }

    /// <summary>The number of users of a hub; null for none. <c>--users</c></summary>
    public SizeAmount? Users { get; init; }

    /// <summary>Updates per second for each user; null for the measured rate. <c>--user-rate</c></summary>
    public SizeAmount? UserRate { get; init; }

    /// <summary>The number of items that each user subscribes to; null for the measured number. <c>--subscriptions</c></summary>
    public SizeAmount? Subscriptions { get; init; }

    /// <summary>The round-trip time of the network. <c>--rtt</c></summary>
    public RoundTripTime Rtt { get; init; } = new(0);

    /// <summary>The maximum planned use of a core, in percent. <c>--max-cpu</c></summary>
    public int MaxCpuPercent { get; init; } = 70;

    /// <summary>The measured scenario; null where there is only one. <c>--scenario</c></summary>
    public string? Scenario { get; init; }

    /// <summary>Values of inputs that differ among the runs, by name. <c>--with</c></summary>
    public IReadOnlyDictionary<string, string> With { get; init; } = new Dictionary<string, string>();

    /// <summary>The further outputs of the result.</summary>
    public ResultOutputs Outputs { get; init; } = new();

    /// <summary>The planned share of a core.</summary>
    public double MaxCpuShare => MaxCpuPercent / Percent;

    public static OptionTable<SizeOptions> CreateTable()
    {
        OptionTable<SizeOptions> table = new("perftools size", new SizeOptions(), o => o.Outputs.FindProblem()) { HasLongNames = true };
        table.Custom("-rate", "n", SizeAmount.Kind, "updates a second that are published", o => o.Rate.ToString(),
            (o, s) => SizeAmount.TryParse(s, MaxRate) is { } v ? o with { Rate = v } : null);
        table.Custom("-items", "n", SizeAmount.Kind, "items (default: as measured)", o => o.Items?.ToString(),
            (o, s) => SizeAmount.TryParse(s, MaxItems) is { } v ? o with { Items = v } : null);
        table.Custom("-users", "n", SizeAmount.Kind, "users of the hub; needs a measured run of users (default: none)", o => o.Users?.ToString(),
            (o, s) => SizeAmount.TryParse(s, MaxUsers) is { } v ? o with { Users = v } : null);
        table.Custom("-user-rate", "n", SizeAmount.Kind, "updates a second for each user (default: as measured)", o => o.UserRate?.ToString(),
            (o, s) => SizeAmount.TryParse(s, MaxUserRate) is { } v ? o with { UserRate = v } : null);
        table.Custom("-subscriptions", "n", SizeAmount.Kind, "items that each user watches (default: as measured)", o => o.Subscriptions?.ToString(),
            (o, s) => SizeAmount.TryParse(s, MaxItems) is { } v ? o with { Subscriptions = v } : null);
        table.Custom("-rtt", "time", RoundTripTime.Kind, "round trip of the network", o => o.Rtt.ToString(),
            (o, s) => RoundTripTime.TryParse(s) is { } v ? o with { Rtt = v } : null);
        table.Number("-max-cpu", "%", "highest use of a core that is planned", o => o.MaxCpuPercent, (o, v) => o with { MaxCpuPercent = v }).Within(1, 100);
        table.Text("-scenario", "name", "the measured scenario (default: the one that the folder has)", o => o.Scenario, (o, v) => o with { Scenario = v });
        table.Custom("-with", "name=value", "name=value", "only runs with this input, such as pack=50 or connection=encrypted; repeatable", _ => null,
            (o, s) => s.Split('=', 2) is [{ Length: > 0 } name, var value]
                ? o with { With = new Dictionary<string, string>(o.With) { [name] = value } } : null).Repeatable();
        OptionRows<SizeOptions, ResultOutputs> outputs = table.Part(o => o.Outputs, (o, v) => o with { Outputs = v });
        outputs.Text("-markdown", "file", "the result as a table; - for standard output, all else goes to standard error then", o => o.Markdown,
            (o, v) => o with { Markdown = v });
        outputs.Text("-json", "file", "the result as JSON; - for standard output, all else goes to standard error then", o => o.Json,
            (o, v) => o with { Json = v });
        return table;
    }
}

/// <summary>A number in the form of options: <c>500k</c>, <c>2M</c>, <c>1500000</c>.</summary>
internal readonly record struct SizeAmount(double Value)
{
    /// <summary>The description of valid values, after "is not".</summary>
    public const string Kind = "a number such as 3000, 500k or 2.5M";

    private static readonly (string Mark, double Factor)[] Marks = [("M", 1e6), ("k", 1e3)];

    /// <summary>Parses a number; null for other text, for less than 1, and for more than the limit.</summary>
    public static SizeAmount? TryParse(string text, double max)
    {
        (string mark, double factor) = Array.Find(Marks, mark => text.EndsWith(mark.Mark, StringComparison.OrdinalIgnoreCase));
        return double.TryParse(mark is null ? text : text[..^1], NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out double number)
            && number * (mark is null ? 1 : factor) is var value and >= 1 && value <= max ? new(value) : null;
    }

    /// <summary>The number as the user types it.</summary>
    public override string ToString()
    {
        double value = Value;
        (string? mark, double factor) = Array.Find(Marks, mark => value >= mark.Factor);
        return (value / (mark is null ? 1 : factor)).ToString("0.######", CultureInfo.InvariantCulture) + mark;
    }
}

/// <summary>A round-trip time in the form of options: <c>0.2ms</c>, <c>150us</c>, <c>1s</c>.</summary>
internal readonly record struct RoundTripTime(double Seconds)
{
    /// <summary>The description of valid values, after "is not".</summary>
    public const string Kind = "a time from 0 to 10 s such as 0.2ms, 150us or 1s";

    private const double MaxSeconds = 10;
    private static readonly (string Mark, double Seconds)[] Units = [("us", 1e-6), ("ms", 1e-3), ("s", 1)];

    /// <summary>Parses a time; null for other text.</summary>
    public static RoundTripTime? TryParse(string text)
    {
        if (text == "0")
            return new(0);
        (string mark, double unit) = Array.Find(Units, unit => text.EndsWith(unit.Mark, StringComparison.Ordinal));
        return mark is not null && double.TryParse(text[..^mark.Length], NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out double number)
            && number * unit is var seconds and <= MaxSeconds ? new(seconds) : null;
    }

    /// <summary>The time as the user types it.</summary>
    public override string ToString()
    {
        double seconds = Seconds;
        (string? mark, double unit) = Array.FindLast(Units, unit => seconds >= unit.Seconds);
        return mark is null ? "0" : (seconds / unit).ToString("0.######", CultureInfo.InvariantCulture) + mark;
    }
}
