using PerfTools.Hosting.Running;
using Xunit;

namespace PerfCommon.Tests.Hosting.Running;

public class RunConsoleTests
{
    [Fact]
    public void Write_Pieces_ArriveWholeWithLineFeeds()
    {
        using StringWriter output = new() { NewLine = "\r\n" };
        RunConsole console = new(output);
        console.WriteLine("one");
        console.Write(writer => writer.WriteLine("two"));

        Assert.Equal("one\ntwo\n", output.ToString());
        Assert.Null(console.Failure);
    }

    [Fact]
    public void Write_ControlCharacters_AreEscapedInEveryWay()
    {
        const string Hostile = "a\u001b]0;t\u0007\r\u0085\u202E\u2028\uD800z";
        const string Shown = @"a\u001B]0;t\u0007\u000D\u0085\u202E\u2028" + "\uFFFDz";
        using StringWriter output = new();
        RunConsole console = new(output);
        console.WriteLine(Hostile + "\n2");
        console.Write(writer => writer.WriteLine(Hostile));
        Assert.Equal($"{Shown}\\u000A2\n{Shown}\n", output.ToString());
    }

    [Fact]
    public void Write_TextOfEveryLanguage_StaysAsItIs()
    {
        using StringWriter output = new();
        new RunConsole(output).WriteLine("é 日本 \U0001F600 ~");
        Assert.Equal("é 日本 \U0001F600 ~\n", output.ToString());
    }

    [Fact]
    public void CopyTo_AfterSomeLines_HasThemAndTheFollowingOnesAlsoWhenPrintingFails()
    {
        using FailingWriter output = new(2, new IOException("no space"));
        RunConsole console = new(output);
        List<string> copy = [];
        console.KeepCopy();
        console.WriteLine("one");
        console.WriteLine("two");
        console.CopyTo(copy.Add);
        console.WriteLine("three");
        console.Write(writer => writer.Write("four\u001b\n"));

        Assert.NotNull(console.Failure);
        Assert.Equal(["one\ntwo\n", "three\n", "four\\u001B\n"], copy);
    }

    [Theory]
    [InlineData(typeof(IOException))]
    [InlineData(typeof(UnauthorizedAccessException))]
    [InlineData(typeof(ObjectDisposedException))]
    public void Write_Fails_KeepsTheReasonAndWritesNoMore(Type kind)
    {
        Exception cause = kind == typeof(ObjectDisposedException)
            ? new ObjectDisposedException("x") : (Exception)Activator.CreateInstance(kind, "no space")!;
        using FailingWriter output = new(1, cause);
        RunConsole console = new(output);
        console.WriteLine("one");
        console.WriteLine("two");
        console.WriteLine("three");

        Assert.Equal("one\n", output.Taken);
        Assert.Equal(1, output.Refused);
        Assert.StartsWith("standard output: cannot be written: ", console.Failure, StringComparison.Ordinal);
    }

    [Fact]
    public void Write_ADefectOfThePiece_Surfaces()
    {
        using StringWriter output = new();
        Assert.Throws<InvalidOperationException>(() => new RunConsole(output).Write(_ => throw new InvalidOperationException()));
        Assert.Equal("", output.ToString());
    }
}
