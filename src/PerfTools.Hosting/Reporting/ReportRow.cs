using System.Globalization;
using PerfCommon.Workers;

namespace PerfTools.Hosting.Reporting;

/// <summary>One thing that a tool reports, and every place where it is shown.</summary>
/// <param name="value">How it is got from the figures, and what {0}, {1}, ... stand for in its formats.</param>
internal sealed class ReportRow(ReportValue value)
{
    private readonly List<ReportColumn> _columns = [];
    private readonly List<ConsolePart> _consoleParts = [];
    private Func<Figures, bool>? _isInSummary;

    /// <summary>How it is got from the figures.</summary>
    public ReportValue Value => value;

    /// <summary>Its columns in the statistics file.</summary>
    public IReadOnlyList<ReportColumn> StatsColumns => _columns;

    /// <summary>Its parts of console lines.</summary>
    public IReadOnlyList<ConsolePart> ConsoleParts => _consoleParts;

    /// <summary>The line that is printed for all workers together when there are several; null for none.</summary>
    public string? OverallConsoleFormat { get; private set; }

    /// <summary>Its lines in the summary; the name and the colon are part of each.</summary>
    public IReadOnlyList<string> SummaryFormats { get; private set; } = [];

    /// <summary>The summary's line in place of <see cref="SummaryFormats"/> when there is nothing to show; null for none.</summary>
    public string? SummaryWithoutValue { get; private set; }

    /// <summary>What <c>-assert</c> calls its arguments, in their order.</summary>
    public IReadOnlyList<string> Metrics { get; private set; } = [];

    /// <summary>Its JSON name in the line of a collection; null for none.</summary>
    public string? IntervalName { get; private set; }

    /// <summary>Its JSON name in the final line; null for none.</summary>
    public string? FinalName { get; private set; }

    /// <summary>Names it in the JSON lines; <c>a.b</c> is member b of object a.</summary>
    public ReportRow Json(string name) => Interval(name).Final(name);

    /// <summary>Names it in the JSON line of a collection alone.</summary>
    public ReportRow Interval(string name)
    {
        IntervalName = name;
        return this;
    }

    /// <summary>Names it in the final JSON line alone.</summary>
    public ReportRow Final(string name)
    {
        FinalName = name;
        return this;
    }

    /// <summary>Makes it the guide's column of this number; UTC is number 1.</summary>
    public ReportRow Column(int number, string name, string format = "{0}") => Columns(number, [(name, format)]);

    /// <summary>Makes it a column of ours, after the guide's in the order of the rows.</summary>
    public ReportRow Column(string name, string format = "{0}") => Columns([(name, format)]);

    /// <summary>Makes it the guide's columns from this number on.</summary>
    public ReportRow Columns(int firstNumber, IEnumerable<(string Name, string Format)> columns)
    {
        _columns.AddRange(columns.Select((column, i) => new ReportColumn(firstNumber + i, column.Name, column.Format)));
        return this;
    }

    /// <summary>Makes it columns of ours, after the guide's in the order of the rows.</summary>
    public ReportRow Columns(IEnumerable<(string Name, string Format)> columns)
    {
        _columns.AddRange(columns.Select(column => new ReportColumn(null, column.Name, column.Format)));
        return this;
    }

    /// <summary>Makes it a part of a console line; parts of one line follow each other in the order of the rows, nothing between them.</summary>
    /// <param name="line">The line: 1 stands beside the second and is always printed, others when one of their parts is worth it.</param>
    /// <param name="format">The part, with what separates it from the one before.</param>
    public ReportRow Console(int line, string format)
    {
        _consoleParts.Add(new(line, format));
        return this;
    }

    /// <summary>Prints a line for all workers together below those of several.</summary>
    public ReportRow OverallConsole(string format)
    {
        OverallConsoleFormat = format;
        return this;
    }

    /// <summary>Makes it lines of the summary, in the section in which the row stands.</summary>
    public ReportRow Summary(params string[] formats)
    {
        SummaryFormats = formats;
        return this;
    }

    /// <summary>The summary's line when there is nothing to show.</summary>
    public ReportRow WithoutValue(string line)
    {
        SummaryWithoutValue = line;
        return this;
    }

    /// <summary>Writes it to the summary only if the options ask for it.</summary>
    public ReportRow When(bool isAskedFor)
    {
        _isInSummary = _ => isAskedFor;
        return this;
    }

    /// <summary>Writes it to the summary only if something was counted.</summary>
    public ReportRow When(Counter counter)
    {
        _isInSummary = figures => figures[counter] > 0;
        return this;
    }

    /// <summary>Lets <c>-assert</c> name its arguments, in their order.</summary>
    public ReportRow Metric(params string[] names)
    {
        Metrics = names;
        return this;
    }

    /// <summary>True when the summary has lines about it.</summary>
    public bool IsInSummary(Figures figures) => _isInSummary?.Invoke(figures) ?? true;

    /// <summary>Its JSON name in the lines of a scope; null for none.</summary>
    public string? JsonName(ReportScope scope) => scope == ReportScope.Interval ? IntervalName : FinalName;

    /// <summary>One of its formats with the figures put in.</summary>
    public string Format(string format, Figures figures, ReportScope scope) =>
        string.Format(CultureInfo.InvariantCulture, format, value.Arguments(figures, scope));
}

/// <summary>A column of the statistics file.</summary>
/// <param name="Number">The guide's number, UTC being 1; null for a column of ours.</param>
/// <param name="Name">As the header names it.</param>
/// <param name="Format">Format of the row's arguments.</param>
internal sealed record ReportColumn(int? Number, string Name, string Format);

/// <summary>A part of a console line.</summary>
/// <param name="Line">The line, from 1.</param>
/// <param name="Format">Format of the row's arguments.</param>
internal sealed record ConsolePart(int Line, string Format);
