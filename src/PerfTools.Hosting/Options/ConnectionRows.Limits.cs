using PerfTools.Hosting.CommandLine;

namespace PerfTools.Hosting.Options;

internal sealed partial class ConnectionRows<T>
{
    /// <summary>Adds <c>-outputBufs</c>.</summary>
    /// <param name="min">The least that the tool works with.</param>
    /// <param name="display">The value in the block of test inputs; null shows it as typed.</param>
    public void OutputBuffers(int min, Func<T, string>? display = null) =>
        _channel.Number("-outputBufs", "n", "output buffers per connection", c => c.OutputBuffers, (c, v) => c with { OutputBuffers = v })
            .AtLeast(min).As("Output Buffers", display);

    /// <summary>Adds the option for the most output buffers.</summary>
    /// <param name="name">The name with one dash.</param>
    /// <param name="synonyms">Further names.</param>
    /// <returns>The row, for its limits.</returns>
    public NumberRow<T> MaxOutputBuffers(string name, params string[] synonyms) =>
        _channel.Number(name, "n", "most output buffers per connection",
            c => c.MaxOutputBuffers, (c, v) => c with { MaxOutputBuffers = v }, synonyms).As("Max Output Buffers");

    /// <summary>Adds <c>-inputBufs</c>.</summary>
    public void InputBuffers() =>
        _channel.Number("-inputBufs", "n", "input buffers per connection", c => c.InputBuffers, (c, v) => c with { InputBuffers = v })
            .AtLeast(1).As("Input Buffers");

    /// <summary>Adds <c>-maxFragmentSize</c>.</summary>
    public void MaxFragmentSize() =>
        _server.Number("-maxFragmentSize", "bytes", "largest fragment that a server offers",
            s => s.MaxFragmentSize, (s, v) => s with { MaxFragmentSize = v }).Within(20, 65535).As("Max Fragment Size");

    /// <summary>Adds <c>-highWaterMark</c>.</summary>
    public void HighWaterMark() =>
        _channel.Number("-highWaterMark", "bytes", "queued bytes from which a write flushes by itself, 0 for 32768",
            c => c.HighWaterMark, (c, v) => c with { HighWaterMark = v })
            .AtLeast(0).As("High Water Mark", o => OrDefault(Channel(o).HighWaterMark, "bytes"));

    /// <summary>Adds <c>-sendBufSize</c> and <c>-recvBufSize</c>.</summary>
    public void SystemBuffers()
    {
        _channel.Number("-sendBufSize", "bytes", "send buffer of the system, 0 for its own choice",
            c => c.SendBufferBytes, (c, v) => c with { SendBufferBytes = v })
            .AtLeast(0).As("Send Buffer Size", o => OrDefault(Channel(o).SendBufferBytes, "bytes"));
        _channel.Number("-recvBufSize", "bytes", "receive buffer of the system, 0 for its own choice",
            c => c.ReceiveBufferBytes, (c, v) => c with { ReceiveBufferBytes = v })
            .AtLeast(0).As("Recv Buffer Size", o => OrDefault(Channel(o).ReceiveBufferBytes, "bytes"));
    }

    /// <summary>Adds <c>-sendTimeout</c> and <c>-recvTimeout</c>.</summary>
    public void Timeouts()
    {
        _channel.Number("-sendTimeout", "ms", "longest wait of a send, 0 for the system's own",
            c => c.SendTimeoutMillis, (c, v) => c with { SendTimeoutMillis = v })
            .AtLeast(0).As("Send Timeout", o => OrDefault(Channel(o).SendTimeoutMillis, "ms"));
        _channel.Number("-recvTimeout", "ms", "longest wait of a receive, 0 for the system's own",
            c => c.ReceiveTimeoutMillis, (c, v) => c with { ReceiveTimeoutMillis = v })
            .AtLeast(0).As("Receive Timeout", o => OrDefault(Channel(o).ReceiveTimeoutMillis, "ms"));
    }

    /// <summary>Adds the limits that every connection has.</summary>
    public void Limits()
    {
        _channel.Number("-pingTimeout", "s", "ping timeout to ask for or to offer, 1 to 255",
            c => c.PingTimeoutSeconds, (c, v) => c with { PingTimeoutSeconds = v })
            .Within(1, 255).As("Ping Timeout", o => $"{Channel(o).PingTimeoutSeconds} sec");
        _channel.Number("-handshakeTimeout", "s", "time for a handshake to be done",
            c => c.HandshakeTimeoutSeconds, (c, v) => c with { HandshakeTimeoutSeconds = v })
            .AtLeast(1).As("Handshake Timeout", o => $"{Channel(o).HandshakeTimeoutSeconds} sec");
        _channel.Number("-maxMessageSize", "bytes", "largest message put together from fragments",
            c => c.MaxReassembledBytes, (c, v) => c with { MaxReassembledBytes = v })
            .AtLeast(1).As("Max Message Size", o => $"{Channel(o).MaxReassembledBytes} bytes");
        _channel.Number("-reassemblyLimit", "bytes", "most bytes of unfinished messages per connection",
            c => c.ReassemblyLimitBytes, (c, v) => c with { ReassemblyLimitBytes = v })
            .AtLeast(1).As("Reassembly Limit", o => $"{Channel(o).ReassemblyLimitBytes} bytes");
    }

    /// <summary>Adds the limits that only a server has.</summary>
    public void ServerLimits()
    {
        _server.Number("-minPingTimeout", "s", "shortest ping timeout that a server grants, 1 to 255",
            s => s.MinPingTimeoutSeconds, (s, v) => s with { MinPingTimeoutSeconds = v })
            .Within(1, 255).As("Min Ping Timeout", o => $"{_get(o).Server.MinPingTimeoutSeconds} sec");
        _server.Number("-maxConnections", "n", "most connections that a server serves at a time",
            s => s.MaxConnections, (s, v) => s with { MaxConnections = v }).AtLeast(1).As("Max Connections");
    }

    private static string OrDefault(int value, string unit) => value > 0 ? $"{value} {unit}" : "0(use default)";
}
