using System.Globalization;
using PerfCommon;
using PerfTools.Hosting.Running;
using PerfTools.Results.Documents;

namespace PerfTools.Screen;

/// <summary>Shows a run: a headline, on a screen a few lines that change, and the closing block.</summary>
/// <param name="console">The console; an error of it is recorded and does not end the run.</param>
/// <param name="columns">Width of the screen; null when the output is no screen: then no line changes and none repeats.</param>
/// <param name="rateUnit">Short form of messages per second.</param>
/// <param name="clock">The clock for the measured time; null for the system's.</param>
internal sealed class RunScreen(RunConsole console, int? columns, string rateUnit, TimeProvider? clock = null)
{
    private const string StartOfLine = "\r";
    private const string EraseToEndOfLine = "\u001b[K";
    private const string EraseBelow = "\u001b[J";
    private const string Green = "\u001b[32m";
    private const string Yellow = "\u001b[33m";
    private const string Red = "\u001b[31m";
    private const string Plain = "\u001b[0m";

    private readonly TimeProvider _clock = clock ?? TimeProvider.System;
    private long? _measuringSince;
    private bool _imagesShown;
    private int _openLines; // the lines that the next ones replace

    public void ShowHeadline(string headline) => Write(headline);

    /// <summary>Shows the progress of the run; the measured time starts with the first sample that is measuring.</summary>
    public void ShowProgress(ProgressSample sample, TimeSpan total)
    {
        if (sample.Images is { } images && !_imagesShown)
        {
            _imagesShown = true;
            Write($"  images     {ClosingText.ImageText(images)}");
        }

        if (sample.IsMeasuring)
            _measuringSince ??= _clock.GetTimestamp();
        if (columns is { } width && _measuringSince is { } since && sample.Rate is not null)
            Replace(ProgressBlock.Create(rateUnit, sample, _clock.GetElapsedTime(since), total, width));
    }

    public void ShowEnd(RunDocument run, string folder, string? report = null)
    {
        Write("");
        string? colour = columns is null || !Terminal.AllowsColours ? null : ColourOf(run.Verdict);
        foreach (string line in ClosingText.Create(run, folder, report))
            Write(line, line.StartsWith(run.Verdict, StringComparison.Ordinal) ? colour : null, run.Verdict.Length);
    }

    private static string ColourOf(string verdict) => verdict switch
    {
        RunVerdict.Ok => Green,
        RunVerdict.Failed => Red,
        _ => Yellow,
    };

    // Writes a line with its first characters in a colour, if any.
    private void Write(string line, string? colour = null, int coloured = 0)
    {
        string erased = _openLines > 0 ? Back() + EraseBelow : "";
        _openLines = 0;
        string shown = colour is null
            ? PrintableText.Escape(line) : colour + PrintableText.Escape(line[..coloured]) + Plain + PrintableText.Escape(line[coloured..]);
        console.WriteRaw(erased + shown + "\n");
    }

    private void Replace(IReadOnlyList<string> lines)
    {
        string back = Back();
        _openLines = lines.Count;
        string shown = string.Join(EraseToEndOfLine + "\n", lines.Select(line => PrintableText.Escape(line)));
        console.WriteRaw(back + shown + EraseToEndOfLine + EraseBelow);
    }

    // Moves to the beginning of the first open line; the cursor is in the last.
    private string Back() =>
        _openLines == 0
        ? "" : _openLines == 1 ? StartOfLine : string.Create(CultureInfo.InvariantCulture, $"{StartOfLine}\u001b[{_openLines - 1}A");
}
