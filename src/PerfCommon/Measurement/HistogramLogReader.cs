using System.Globalization;
using System.Text;

namespace PerfCommon.Measurement;

/// <summary>Reads logs of histograms (<c>.hlog</c>) from any writer of the HdrHistogram family, one interval after the other.</summary>
/// <param name="unitWhereNoneIsSaid">Unit of the values of a log whose header names none.</param>
/// <param name="keepsOne">True to reuse one histogram: each interval's is valid until the next one is read.</param>
/// <param name="maxCells">Maximum cells of an accepted histogram.</param>
internal sealed class HistogramLogReader(
    LatencyUnit unitWhereNoneIsSaid = LatencyUnit.Nanoseconds, bool keepsOne = false, int maxCells = int.MaxValue)
{
    private const double MaxNumber = 9e11;
    private const double MillisPerSecond = 1_000;
    private const double SecondsPerYear = 365.0 * 24 * 60 * 60;
    private const string LegendStart = "\"StartTimestamp\"";
    private const string TagStart = "Tag=";
    private const string StartTimeStart = "#[StartTime:";
    private const string BaseTimeStart = "#[BaseTime:";
    private const string UnitStart = "#[Unit:";
    private const int FieldCount = 4;

    private LatencyUnit _unit = unitWhereNoneIsSaid;
    private double? _startSeconds;
    private double? _baseSeconds; // added to every start
    private LongHistogram? _used;
    private int _line;

    /// <summary>Reads a file from its beginning, one interval per step of the enumeration.</summary>
    /// <exception cref="HistogramFormatException">A line is not a line of a log; the intervals before it were delivered.</exception>
    /// <exception cref="IOException">The file cannot be read.</exception>
    public static IEnumerable<HistogramLogInterval> ReadFile(
        string path, LatencyUnit unitWhereNoneIsSaid = LatencyUnit.Nanoseconds, bool keepsOne = false)
    {
        using FileStream file = File.OpenRead(path);
        foreach (HistogramLogInterval interval in new HistogramLogReader(unitWhereNoneIsSaid, keepsOne).Read(file))
            yield return interval;
    }

    /// <summary>Reads a log: UTF-8, or UTF-16 with its mark. A reader reads one log.</summary>
    /// <inheritdoc cref="ReadFile"/>
    public IEnumerable<HistogramLogInterval> Read(Stream log)
    {
        using StreamReader text = new(log, Encoding.UTF8, detectEncodingFromByteOrderMarks: true, leaveOpen: true);
        foreach (string line in LimitedLines.Read(text))
        {
            _line++;
            if (line.StartsWith('#'))
                ReadComment(line);
            else if (line.Length > 0 && !line.StartsWith(LegendStart, StringComparison.Ordinal))
                yield return ReadInterval(line);
        }
    }

    private void ReadComment(string line)
    {
        if (line.StartsWith(StartTimeStart, StringComparison.Ordinal))
            _startSeconds = ReadNumber(FirstWord(line[StartTimeStart.Length..]), "a start time");
        else if (line.StartsWith(BaseTimeStart, StringComparison.Ordinal))
            _baseSeconds = ReadNumber(FirstWord(line[BaseTimeStart.Length..]), "a base time");
        else if (line.StartsWith(UnitStart, StringComparison.Ordinal))
            _unit = ReadUnit(FirstWord(line[UnitStart.Length..]));
    }

    private HistogramLogInterval ReadInterval(string line)
    {
        string? tag = null;
        if (line.StartsWith(TagStart, StringComparison.Ordinal))
        {
            string[] parts = line.Split(',', 2);
            tag = parts[0][TagStart.Length..];
            if (parts.Length < 2 || !(tag.Length == 0 || HistogramLogWriter.IsTag(tag)))
                throw Unusable("an invalid tag, or a tag without a histogram");
            line = parts[1];
        }

        string[] fields = line.Split(',');
        if (fields.Length != FieldCount)
            throw Unusable($"{fields.Length} fields found, {FieldCount} expected");
        double start = ReadNumber(fields[0], "a start"), length = ReadNumber(fields[1], "a length");
        double max = ReadNumber(fields[2], "a maximum");
        double from = FindBase(start) + start;
        return new HistogramLogInterval
        {
            Line = _line,
            Tag = string.IsNullOrEmpty(tag) ? null : tag,
            StartMillis = Millis(from),
            EndMillis = Millis(from + length),
            StatedMax = max,
            Histogram = ReadHistogram(fields[3]),
        };
    }

    // Without a base the first start decides: if it is far before the start of the log, times count from the start of the log.
    private double FindBase(double firstStart)
    {
        _startSeconds ??= firstStart;
        return _baseSeconds ??= firstStart < _startSeconds - SecondsPerYear ? _startSeconds.Value : 0;
    }

    private LongHistogram ReadHistogram(string base64)
    {
        try
        {
            LongHistogram histogram = HistogramEncoding.Decompress(Convert.FromBase64String(base64), _unit, maxCells, _used);
            _used = keepsOne ? histogram : null;
            return histogram;
        }
        catch (FormatException cause)
        {
            throw new HistogramFormatException($"line {_line}: the histogram is no base64", _line, cause);
        }
        catch (HistogramFormatException cause)
        {
            throw new HistogramFormatException($"line {_line}: {cause.Message}", _line, cause);
        }
    }

    private double ReadNumber(string text, string what)
    {
        const NumberStyles Form = NumberStyles.AllowDecimalPoint | NumberStyles.AllowExponent;
        return text.Length > 0 && char.IsAsciiDigit(text[0]) && double.TryParse(text, Form, CultureInfo.InvariantCulture, out double value)
            && value <= MaxNumber ? value : throw Unusable($"{what} is no number from 0 to {MaxNumber:0}");
    }

    private LatencyUnit ReadUnit(string name)
    {
        foreach (LatencyUnit unit in Enum.GetValues<LatencyUnit>())
        {
            if (HistogramLogWriter.NameOf(unit) == name)
                return unit;
        }

        throw Unusable("a unit that is neither us nor ns");
    }

    private HistogramFormatException Unusable(string what) => new($"line {_line}: {what}", _line);

    private static string FirstWord(string text) => text.Trim().Split(' ', ']')[0];

    private static long Millis(double seconds) => (long)Math.Round(seconds * MillisPerSecond, MidpointRounding.AwayFromZero);
}

/// <summary>One interval of a log.</summary>
internal sealed record HistogramLogInterval
{
    /// <summary>Its line, from 1.</summary>
    public required int Line { get; init; }

    /// <summary>Distinguishes several series of a log; null for none.</summary>
    public required string? Tag { get; init; }

    /// <summary>Its start in milliseconds since 1970 UTC, or since the log's base where the log has none.</summary>
    public required long StartMillis { get; init; }
    public required long EndMillis { get; init; }

    /// <summary>The maximum that the line states, in the unit of its writer.</summary>
    public required double StatedMax { get; init; }

    public required LongHistogram Histogram { get; init; }
}
