namespace PerfTools.Hosting.Running;

/// <summary>A console that may fail in the middle of a run: the first failure is kept, the rest is left out, the run goes on.</summary>
/// <remarks>Main thread only.</remarks>
internal sealed class RunConsole(TextWriter output)
{
    /// <summary>Why printing failed, as a sentence; null while all is well.</summary>
    public string? Failure { get; private set; }

    public void WriteLine(string line) => Write(writer => writer.Write($"{line}\n"));

    /// <summary>Prints a piece, formatted in memory and handed over whole.</summary>
    public void Write(Action<TextWriter> write)
    {
        if (Failure is not null)
            return;
        using StringWriter piece = new() { NewLine = "\n" };
        write(piece);
        try
        {
            output.Write(piece.GetStringBuilder());
            output.Flush();
        }
        catch (Exception cause) when (cause is IOException or UnauthorizedAccessException or ObjectDisposedException)
        {
            Failure = $"standard output: cannot be written: {cause.Message}";
        }
    }
}
