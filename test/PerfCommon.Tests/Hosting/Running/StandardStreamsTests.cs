using PerfTools.Hosting.Running;
using Xunit;

namespace PerfCommon.Tests.Hosting.Running;

public sealed class StandardStreamsTests
{
    [Fact]
    public void Open_StreamThatIsClosed_FailsWhenItIsWrittenTo()
    {
        TextWriter output = StandardStreams.Open(() => throw new UnauthorizedAccessException("closed by another"));
        RunConsole console = new(output);
        Assert.Null(console.Failure);
        console.WriteLine("line");
        Assert.Equal("standard output: cannot be written: closed by another", console.Failure);
        Assert.False(StandardStreams.IsOpenOutput(output));
    }

    [Fact]
    public void Open_AnyOtherFailure_IsThrown() =>
        Assert.Throws<InvalidOperationException>(() => StandardStreams.Open(() => throw new InvalidOperationException()));

    [Fact]
    public void IsOpenOutput_IsOfStandardOutputAlone()
    {
        Assert.True(StandardStreams.IsOpenOutput(StandardStreams.Output));
        Assert.False(StandardStreams.IsOpenOutput(StandardStreams.Error));
        using StringWriter other = new();
        Assert.False(StandardStreams.IsOpenOutput(other));
    }
}
