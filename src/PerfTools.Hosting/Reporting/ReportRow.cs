using System.Globalization;
using PerfCommon.Measurement;
using PerfCommon.Workers;

namespace PerfTools.Hosting.Reporting;

/// <summary>One figure that a tool reports, and every place where it is shown.</summary>
/// <param name="value">How it is read from the figures, and the values of {0}, {1}, ... in its formats.</param>
internal sealed class ReportRow(ReportValue value)
{
    private Func<Figures, bool>? _isInSummary;

    public ReportValue Value => value;

    // set by the methods with similar names
    public string? IntervalName { get; private set; }
    public string? FinalName { get; private set; }
    public List<ReportColumn> StatsColumns { get; } = [];
    public List<ConsolePart> ConsoleParts { get; } = [];
    public string? OverallConsoleFormat { get; private set; }
    public IReadOnlyList<string> SummaryFormats { get; private set; } = [];
    public string? SummaryWithoutValue { get; private set; }
    public IReadOnlyList<string> Metrics { get; private set; } = [];
    public bool IsOfConnections { get; private set; }

    // the row's name in the metrics of sizes, and whether it is their sum there
    public (string Name, bool IsSum)? SizeMetric { get; private set; }

    // the row's entry in the catalogue, where its value does not define it
    public string? Words { get; private set; }
    public FigureSense Better { get; private set; }
    public (FigureKind Kind, string? Unit, FigureMerge Merge)? Facts { get; private set; }

    /// <summary>Sets its name in the JSON lines; <c>a.b</c> is member b of object a.</summary>
    public ReportRow Json(string name) => Interval(name).Final(name);

    /// <summary>Sets its name in the JSON line of a collection alone.</summary>
    public ReportRow Interval(string name)
    {
        IntervalName = name;
        return this;
    }

    /// <summary>Sets its name in the final JSON line alone.</summary>
    public ReportRow Final(string name)
    {
        FinalName = name;
        return this;
    }

    /// <summary>Makes it a column of the statistics file: the guide's number, UTC being 1, or <see cref="ReportColumn.Ours"/>.</summary>
    public ReportRow Column(int number, string name, string format = "{0}") => Columns(number, new ColumnFormat(name, format));

    /// <summary>Makes it columns of the statistics file, with numbers from the first on.</summary>
    public ReportRow Columns(int firstNumber, params ColumnFormat[] columns)
    {
        int number = firstNumber;
        foreach (ColumnFormat column in columns)
        {
            StatsColumns.Add(new(this, number, column.Name, column.Format));
            number += firstNumber == ReportColumn.Ours ? 0 : 1;
        }

        return this;
    }

    /// <summary>Makes it a part of a console line; its parts follow each other in the order of the rows, unseparated.</summary>
    /// <param name="line">
    /// Number of the line: 1 is printed next to the second and always; others are printed when one of their parts is not empty.
    /// </param>
    /// <param name="format">The part, with its separator from the one before.</param>
    public ReportRow Console(int line, string format)
    {
        ConsoleParts.Add(new(this, line, format));
        return this;
    }

    /// <summary>Prints a line for all workers together below those of several.</summary>
    public ReportRow OverallConsole(string format)
    {
        OverallConsoleFormat = format;
        return this;
    }

    /// <summary>Makes it lines of the summary, in the section that contains the row.</summary>
    public ReportRow Summary(params string[] formats)
    {
        SummaryFormats = formats;
        return this;
    }

    /// <summary>Sets the summary's line for a figure without a value.</summary>
    public ReportRow WithoutValue(string line)
    {
        SummaryWithoutValue = line;
        return this;
    }

    /// <summary>Writes it to the summary only if the options require it.</summary>
    public ReportRow When(bool isAskedFor)
    {
        _isInSummary = _ => isAskedFor;
        return this;
    }

    /// <summary>Writes it to the summary only if something was counted.</summary>
    public ReportRow When(params Counter[] counters)
    {
        _isInSummary = figures => Array.Exists(counters, counter => figures[counter] > 0);
        return this;
    }

    /// <summary>Sets names for its arguments that <c>-assert</c> can use, in their order.</summary>
    public ReportRow Metric(params string[] names)
    {
        Metrics = names;
        return this;
    }

    /// <summary>Also reports it for each of the slowest connections, which keep its counters.</summary>
    /// <exception cref="InvalidOperationException">It is no count: a connection would not know of what.</exception>
    public ReportRow OfConnections()
    {
        if (Value.Counters.Count == 0)
            throw new InvalidOperationException("a row of connections is a count");
        IsOfConnections = true;
        return this;
    }

    /// <summary>Reports it as a metric of each size; of several, as the sum over those completed.</summary>
    public ReportRow MetricOfSizes(string name, bool isSum = false)
    {
        SizeMetric = (name, isSum);
        return this;
    }

    /// <summary>Sets the catalogue entry of its figure: required for a derived one, replaces the entry of a plain count for others.</summary>
    public ReportRow Is(FigureKind kind, string? unit, FigureMerge merge)
    {
        Facts = (kind, unit, merge);
        return this;
    }

    /// <summary>Marks it in the catalogue as a rate of messages or the like: rates of several are added.</summary>
    public ReportRow IsRate(FigureSense better = FigureSense.Higher) => Is(FigureKind.Rate, "1/s", FigureMerge.Sum).IsBetter(better);

    /// <summary>Marks it in the catalogue as a length of time: the longest of several is used.</summary>
    public ReportRow IsTime(string unit) => Is(FigureKind.Time, unit, FigureMerge.Max);

    /// <summary>Marks it in the catalogue as a number of things of several threads or roles, which are added.</summary>
    /// <param name="unit">Their unit; null for a plain number.</param>
    public ReportRow IsSum(string? unit = null) => Is(FigureKind.Count, unit, FigureMerge.Sum);

    /// <summary>Marks it in the catalogue as a mean number of things, of which the mean of several is used.</summary>
    public ReportRow IsMean() => Is(FigureKind.Count, null, FigureMerge.Mean);

    /// <summary>Marks it in the catalogue as memory, of which less is better: that of several is added.</summary>
    public ReportRow IsMemory(string unit) => Is(FigureKind.Memory, unit, FigureMerge.Sum).LowerIsBetter();

    /// <summary>Marks it in the catalogue as memory, of which less is better: of several the largest is used.</summary>
    public ReportRow IsMaxMemory(string unit) => Is(FigureKind.Memory, unit, FigureMerge.Max).LowerIsBetter();

    /// <summary>Marks it in the catalogue as memory, of which less is better: the mean of several is used.</summary>
    public ReportRow IsMeanMemory(string unit) => Is(FigureKind.Memory, unit, FigureMerge.Mean).LowerIsBetter();

    /// <summary>Sets the direction of change that is better, for the catalogue.</summary>
    public ReportRow IsBetter(FigureSense sense)
    {
        Better = sense;
        return this;
    }

    /// <summary>Marks it in the catalogue as better when it is lower.</summary>
    public ReportRow LowerIsBetter() => IsBetter(FigureSense.Lower);

    /// <summary>Marks it in the catalogue as neither better nor worse when it changes.</summary>
    public ReportRow NeitherIsBetter() => IsBetter(FigureSense.None);

    /// <summary>Sets its name in the catalogue, which is otherwise taken from its summary line or its JSON name.</summary>
    public ReportRow Called(string words)
    {
        Words = words;
        return this;
    }

    /// <summary>True when the summary has lines about it.</summary>
    public bool IsInSummary(Figures figures) => _isInSummary?.Invoke(figures) ?? true;

    /// <summary>Returns its JSON name in the lines of a scope; null for none.</summary>
    public string? JsonName(ReportScope scope) => scope == ReportScope.Interval ? IntervalName : FinalName;

    /// <summary>Returns the figure that <c>-assert</c> names.</summary>
    public AssertedFigure FindFigure(Figures figures, string metric) =>
        new(FindNumber(figures, Metrics.ToList().IndexOf(metric)), value.CountSamples(figures));

    /// <summary>Returns an argument of its formats as a number; null without a value.</summary>
    public double? FindNumber(Figures figures, int argument) =>
        value.Exists(figures) && value.Arguments(figures, ReportScope.Run)[argument] is not LatencyFormats.NoValue and var figure
            ? Convert.ToDouble(figure, CultureInfo.InvariantCulture) : null;

    /// <summary>Fills the figures into one of its formats.</summary>
    public string Format(string format, Figures figures, ReportScope scope) =>
        string.Format(CultureInfo.InvariantCulture, format, value.Arguments(figures, scope));
}

/// <summary>The name of a column of the statistics file, and the format of the row's arguments.</summary>
internal sealed record ColumnFormat(string Name, string Format);

/// <summary>A column of the statistics file: its row and number, its name in the header, the format of the row's arguments.</summary>
internal sealed record ReportColumn(ReportRow Row, int Number, string Name, string Format)
{
    /// <summary>Used instead of a guide's number: after those, in the order of the rows.</summary>
    public const int Ours = int.MaxValue;
}

/// <summary>A part of a console line: its row, the number of the line, the format of the row's arguments.</summary>
internal sealed record ConsolePart(ReportRow Row, int Line, string Format);
