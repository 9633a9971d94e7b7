using System.Text;
using PerfCommon;

namespace PerfTools.Hosting.Running;

/// <summary>A console that may fail during a run: the first failure is stored, the rest is left out, the run goes on.</summary>
/// <remarks>
/// Main thread only. Whatever a peer or a file put into a text, no control character reaches the terminal: they are escaped here, once, for every
/// tool.
/// </remarks>
internal sealed class RunConsole(TextWriter output)
{
    private StringBuilder? _kept;
    private Action<string>? _copy;

    /// <summary>Why printing failed, as a sentence; null when it did not.</summary>
    public string? Failure { get; private set; }

    /// <summary>Keeps a copy of all that is printed, until it has a place.</summary>
    public void KeepCopy() => _kept = new();

    /// <summary>Copies what was kept, and all that is printed from now on; also when printing fails.</summary>
    public void CopyTo(Action<string> copy)
    {
        copy($"{_kept}");
        (_kept, _copy) = (null, copy);
    }

    /// <summary>Prints one line, escaped.</summary>
    public void WriteLine(string line) => WriteRaw(PrintableText.Escape(line) + "\n");

    /// <summary>Prints a piece of complete lines, formatted in memory and written whole.</summary>
    public void Write(Action<TextWriter> write)
    {
        if (Failure is not null && _kept is null && _copy is null)
            return;
        using StringWriter piece = new() { NewLine = "\n" };
        write(piece);
        WriteRaw(PrintableText.Escape(piece.ToString(), keepsLines: true));
    }

    /// <summary>Prints text with our own control sequences; all else in it is escaped already.</summary>
    public void WriteRaw(string text)
    {
        _kept?.Append(text);
        _copy?.Invoke(text);
        if (Failure is not null)
            return;
        try
        {
            output.Write(text);
            output.Flush();
        }
        catch (Exception cause) when (cause is IOException or UnauthorizedAccessException or ObjectDisposedException)
        {
            Failure = $"standard output: cannot be written: {cause.Message}";
        }
    }
}
