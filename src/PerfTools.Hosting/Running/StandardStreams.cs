using System.Text;
using PerfCommon;

namespace PerfTools.Hosting.Running;

/// <summary>Standard output and standard error of this process. What was closed by the one that started it fails when it is written to.</summary>
internal static class StandardStreams
{
    /// <summary>Standard output.</summary>
    public static TextWriter Output { get; } = Open(static () => Console.Out);

    /// <summary>Standard error.</summary>
    public static TextWriter Error { get; } = Open(static () => Console.Error);

    /// <summary>True for standard output that was not closed.</summary>
    public static bool IsOpenOutput(TextWriter output) => ReferenceEquals(output, Output) && output is not ClosedWriter;

    /// <summary>Opens a stream, or what stands for one that cannot be opened.</summary>
    internal static TextWriter Open(Func<TextWriter> open)
    {
        try
        {
            return open();
        }
        catch (Exception failure) when (FileErrors.IsMeantBy(failure))
        {
            return new ClosedWriter(failure.Message);
        }
    }

    private sealed class ClosedWriter(string reason) : TextWriter
    {
        public override Encoding Encoding => Encoding.UTF8;

        public override void Write(char value) => throw new IOException(reason);
    }
}
