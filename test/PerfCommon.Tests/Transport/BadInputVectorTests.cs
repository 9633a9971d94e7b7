using System.Globalization;
using System.Text.RegularExpressions;
using PerfCommon.Transport;
using Xunit;

namespace PerfCommon.Tests.Transport;

/// <summary>Recorded bytes that break the protocol: our required reaction, for every division of the bytes.</summary>
[Trait("Category", "Vectors")]
public partial class BadInputVectorTests
{
    public static TheoryData<string> Names => new(TransportVectors.Bad.Keys);

    [Theory(SkipTestWithoutData = true)]
    [MemberData(nameof(Names))]
    public void TryRead_BadInput_DoesWhatIsRequired(string name)
    {
        TransportVector bad = TransportVectors.Bad[name];
        Check(bad, [bad.Bytes]);
        Check(bad, [.. Enumerable.Range(0, bad.Bytes.Length).Select(at => (ReadOnlyMemory<byte>)bad.Bytes.AsMemory(at, 1))]);
        for (int split = 1; split < bad.Bytes.Length; split++)
            Check(bad, [bad.Bytes.AsMemory(0, split), bad.Bytes.AsMemory(split)]);
    }

    private static void Check(TransportVector bad, ReadOnlyMemory<byte>[] pieces)
    {
        (RsslChannel channel, FeedPipe pipe) = SetUp(bad.Decoded.GetProperty("after").GetString()!);
        int messages = 0;
        foreach (ReadOnlyMemory<byte> piece in pieces)
        {
            pipe.Feed(piece);
            messages += TestChannels.ReadAll(channel).Count;
        }

        string required = bad.Decoded.GetProperty("requiredBehaviour").GetString()!;
        bool isClosed = channel.Closed is not null;
        if (required.StartsWith("ping", StringComparison.Ordinal))
            Assert.Equal((false, 1, 0), (isClosed, (int)channel.PingsRead, messages));
        else if (required.StartsWith("close", StringComparison.Ordinal))
            Assert.True(isClosed && pipe.IsDisposed, "must close");
        else
            Assert.Equal((false, required.StartsWith("deliver nothing", StringComparison.Ordinal) ? 0 : 1), (isClosed, messages));
        channel.Close();
    }

    private static (RsslChannel Channel, FeedPipe Pipe) SetUp(string after)
    {
        if (after.StartsWith("TCP connect", StringComparison.Ordinal))
            return TestChannels.OpenServer(TestChannels.Listen);
        CompressionType compression = after.Contains("zlib negotiated", StringComparison.Ordinal) ? CompressionType.Zlib
            : after.Contains("lz4 negotiated", StringComparison.Ordinal) ? CompressionType.Lz4 : CompressionType.None;
        int maxBytes = int.Parse(MaxSize().Match(after).Groups[1].ValueSpan, CultureInfo.InvariantCulture);
        return TestChannels.ActiveServer(TestChannels.Listen with { MaxFragmentSize = maxBytes, CompressionType = compression },
            offered: compression);
    }

    [GeneratedRegex(@"max user message size (\d+)")]
    private static partial Regex MaxSize();
}
