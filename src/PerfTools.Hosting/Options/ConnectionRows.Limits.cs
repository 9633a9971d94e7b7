using PerfTools.Hosting.CommandLine;

namespace PerfTools.Hosting.Options;

internal sealed partial class ConnectionRows<T>
{
    public void OutputBuffers(int min, Func<T, string>? display = null) =>
        _channel.Number("-outputBufs", "n", "output buffers per connection", c => c.OutputBuffers, (c, v) => c with { OutputBuffers = v })
            .AtLeast(min).As("Output Buffers", display);

    public OptionRow<T> MaxOutputBuffers(string name, params string[] synonyms) =>
        _channel.Number(name, "n", "most output buffers per connection",
            c => c.MaxOutputBuffers, (c, v) => c with { MaxOutputBuffers = v }, synonyms).As("Max Output Buffers");

    /// <summary>Adds both numbers of output buffers of a server, each shown with the one that is in effect.</summary>
    public void ServerOutputBuffers(int min)
    {
        OutputBuffers(min, o => $"{Channel(o).OutputBuffers}{Effective(o)}");
        MaxOutputBuffers("-maxOutputBufs", "-maxOutputBuffer").AtLeast(0)
            .As("Max Output Buffers",
                o => $"{Channel(o).MaxOutputBuffers}{(Channel(o).MaxOutputBuffers == 0 ? "(use default)" : "")}{Effective(o)}");

        string Effective(T options) => $"(effective = {_get(options).Server.OutputBufferLimit})";
    }

    public void InputBuffers() =>
        _channel.Number("-inputBufs", "n", "input buffers per connection", c => c.InputBuffers, (c, v) => c with { InputBuffers = v })
            .AtLeast(1).As("Input Buffers");

    public void MaxFragmentSize(string help = "largest fragment that a server offers") =>
        _server.Number("-maxFragmentSize", "bytes", help,
            s => s.MaxFragmentSize, (s, v) => s with { MaxFragmentSize = v }).Within(20, 65535).As("Max Fragment Size");

    public void HighWaterMark() =>
        _channel.Number("-highWaterMark", "bytes", "queued bytes, before compression, above which a write flushes (0: 57344, over TLS 32768)",
            c => c.HighWaterMark, (c, v) => c with { HighWaterMark = v }).AtLeast(0).AsAmount("High Water Mark", "bytes");

    public void SystemBuffers()
    {
        _channel.Number("-sendBufSize", "bytes", "send buffer of the system, 0 for its own choice",
            c => c.SendBufferBytes, (c, v) => c with { SendBufferBytes = v }).AtLeast(0).AsAmount("Send Buffer Size", "bytes");
        _channel.Number("-recvBufSize", "bytes", "receive buffer of the system, 0 for its own choice",
            c => c.ReceiveBufferBytes, (c, v) => c with { ReceiveBufferBytes = v }).AtLeast(0).AsAmount("Recv Buffer Size", "bytes");
    }

    public void Timeouts(string receiveLabel = "Receive Timeout")
    {
        _channel.Number("-sendTimeout", "ms", "longest TCP connect, 0 for the usual; no effect on an open connection",
            c => c.SendTimeoutMillis, (c, v) => c with { SendTimeoutMillis = v }).AtLeast(0).AsAmount("Send Timeout", "ms");
        _channel.Number("-recvTimeout", "ms", "longest handshake, 0 for the usual; no effect on an open connection",
            c => c.ReceiveTimeoutMillis, (c, v) => c with { ReceiveTimeoutMillis = v }).AtLeast(0).AsAmount(receiveLabel, "ms");
    }

    public void Limits()
    {
        _channel.Number("-pingTimeout", "s", "ping timeout to request or to offer, 1 to 255",
            c => c.PingTimeoutSeconds, (c, v) => c with { PingTimeoutSeconds = v }).Within(1, 255).AsAmount("Ping Timeout", "sec");
        _channel.Number("-handshakeTimeout", "s", "time limit for a handshake",
            c => c.HandshakeTimeoutSeconds, (c, v) => c with { HandshakeTimeoutSeconds = v })
            .AtLeast(1).AsAmount("Handshake Timeout", "sec");
        _channel.Number("-maxMessageSize", "bytes", "maximum size of a message assembled from fragments",
            c => c.MaxReassembledBytes, (c, v) => c with { MaxReassembledBytes = v }).AtLeast(1).AsAmount("Max Message Size", "bytes");
        _channel.Number("-reassemblyLimit", "bytes", "most bytes of unfinished messages per connection",
            c => c.ReassemblyLimitBytes, (c, v) => c with { ReassemblyLimitBytes = v }).AtLeast(1).AsAmount("Reassembly Limit", "bytes");
    }

    public void ServerLimits()
    {
        _server.Number("-minPingTimeout", "s", "shortest ping timeout that a server grants, 1 to 255",
            s => s.MinPingTimeoutSeconds, (s, v) => s with { MinPingTimeoutSeconds = v })
            .Within(1, 255).AsAmount("Min Ping Timeout", "sec");
        _server.Number("-maxHandshakes", "n", "maximum of unfinished handshakes, 0 for a quarter of -maxConnections but at least 256",
            s => s.MaxHandshakes, (s, v) => s with { MaxHandshakes = v }).AtLeast(0).As("Max Handshakes");
        _server.Number("-maxConnections", "n", "maximum of connections that a server serves at a time",
            s => s.MaxConnections, (s, v) => s with { MaxConnections = v }).AtLeast(1).As("Max Connections");
    }
}
