using System.Diagnostics;
using PerfTools.Hosting.Running;
using PerfTools.Results;

namespace PerfTools.Face;

/// <summary>What a run shows: a headline, on a screen one line that changes, and the closing block.</summary>
/// <param name="console">Where it is printed; a failure there is kept and does not end the run.</param>
/// <param name="screenColumns">Width of the screen; null when the output is no screen: then no line changes and none repeats.</param>
/// <param name="words">What the scenario calls things.</param>
internal sealed class RunFace(RunConsole console, int? screenColumns, RunWords words)
{
    private const string StartOfLine = "\r";
    private const string EraseToEnd = "\u001b[K";

    private long? _measuringSince;
    private bool _imagesShown;
    private bool _lineIsOpen;

    /// <summary>Shows what runs.</summary>
    public void ShowHeadline(string headline) => Write(headline);

    /// <summary>Shows how far the run is; measuring goes on from the first sample that says so.</summary>
    /// <param name="sample">The latest figures.</param>
    /// <param name="total">Time that measuring takes.</param>
    public void ShowProgress(ProgressSample sample, TimeSpan total)
    {
        if (sample.Images is { } images && !_imagesShown)
        {
            _imagesShown = true;
            Write($"  images     {ClosingText.ImageText(images)}");
        }

        if (sample.IsMeasuring)
            _measuringSince ??= Stopwatch.GetTimestamp();
        if (screenColumns is { } columns && _measuringSince is { } since && sample.Rate is not null)
            Replace(ProgressText.Create(words, sample, Stopwatch.GetElapsedTime(since), total), columns);
    }

    /// <summary>Shows what the run came to.</summary>
    public void ShowEnd(Verdict verdict, RunFigures? figures, string directory)
    {
        Write("");
        foreach (string line in ClosingText.Create(words, verdict, figures, directory))
            Write(line);
    }

    private void Write(string line)
    {
        string erased = _lineIsOpen ? StartOfLine + EraseToEnd : "";
        _lineIsOpen = false;
        console.WriteLine(erased + line);
    }

    private void Replace(string line, int columns)
    {
        _lineIsOpen = true;
        string shown = line.Length < columns ? line : line[..(columns - 1)];
        console.Write(output => output.Write(StartOfLine + shown + EraseToEnd));
    }
}
