using PerfCommon;

namespace PerfTools.Hosting.Running;

/// <summary>A console that may fail in the middle of a run: the first failure is kept, the rest is left out, the run goes on.</summary>
/// <remarks>
/// Main thread only. Whatever a peer or a file put into a text, no control character reaches the terminal: they are escaped here, once, for
/// every tool.
/// </remarks>
internal sealed class RunConsole(TextWriter output)
{
    /// <summary>Why printing failed, as a sentence; null while all is well.</summary>
    public string? Failure { get; private set; }

    /// <summary>Prints one line, whatever is in it.</summary>
    public void WriteLine(string line) => WriteRaw(PrintableText.Escape(line) + "\n");

    /// <summary>Prints a piece of whole lines, formatted in memory and handed over whole.</summary>
    public void Write(Action<TextWriter> write)
    {
        if (Failure is not null)
            return;
        using StringWriter piece = new() { NewLine = "\n" };
        write(piece);
        WriteRaw(PrintableText.Escape(piece.ToString(), keepsLines: true));
    }

    /// <summary>Prints what holds control sequences of ours; all else in it is escaped already.</summary>
    public void WriteRaw(string text)
    {
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
