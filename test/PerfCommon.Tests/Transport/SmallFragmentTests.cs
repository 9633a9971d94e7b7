using PerfCommon.Transport;
using Xunit;

namespace PerfCommon.Tests.Transport;

/// <summary>A maximum so small that no piece of a message is safe to compress.</summary>
public class SmallFragmentTests
{
    [Theory]
    [InlineData(20, CompressionType.Zlib)]
    [InlineData(20, CompressionType.Lz4)]
    [InlineData(64, CompressionType.Zlib)]
    public void Exchange_TinyMaximum_DeliversEveryMessage(int maxFragmentSize, CompressionType compression)
    {
        using LoopbackPair pair = new(new ListenOptions
        {
            Port = 0,
            InterfaceName = "127.0.0.1",
            MaxFragmentSize = maxFragmentSize,
            CompressionType = compression,
            OutputBuffers = 5_000,
        });
        pair.Connect(new ConnectOptions { Host = "localhost", Port = pair.Port, CompressionType = compression, OutputBuffers = 5_000 });
        NumberedMessages.Exchange(pair, pair.Client, pair.Server, [8, 16, 20, 21, 33, 64, 65, 400, 2_000], packBytes: 0);
        NumberedMessages.Exchange(pair, pair.Server, pair.Client, [8, 16, 20, 21, 33, 64, 65, 400, 2_000], packBytes: 0);
    }
}
