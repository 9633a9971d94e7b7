using System.Text;

namespace Tools.Tests.Runs;

/// <summary>Passes each piece that a program prints to a handler, whose reader may be another thread.</summary>
internal sealed class CollectingWriter(Action<string> collect) : TextWriter
{
    public override Encoding Encoding => Encoding.UTF8;

    public override void Write(char value) => collect(value.ToString());

    public override void Write(string? value) => collect(value ?? "");

    public override void Write(StringBuilder? value) => collect(value?.ToString() ?? "");

    public override void Write(ReadOnlySpan<char> buffer) => collect(buffer.ToString());
}
