using System.Text;

namespace PerfCommon.Tests.Hosting.Running;

/// <summary>A console that accepts a number of pieces and then fails.</summary>
internal sealed class FailingWriter(int pieces, Exception failure) : TextWriter
{
    private readonly StringBuilder _taken = new();
    private int _left = pieces;

    public override Encoding Encoding => Encoding.UTF8;

    public int Refused { get; private set; }

    public string Taken => _taken.ToString();

    public override void Write(char value) => Take(value.ToString());

    public override void Write(StringBuilder? value) => Take(value!.ToString());

    public override void Write(string? value) => Take(value!);

    private void Take(string text)
    {
        if (_left-- > 0)
        {
            _taken.Append(text);
            return;
        }

        Refused++;
        throw failure;
    }
}
