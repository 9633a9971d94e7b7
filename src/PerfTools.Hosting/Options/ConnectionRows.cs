using PerfTools.Hosting.CommandLine;
namespace PerfTools.Hosting.Options;

/// <summary>Writes the connection options into a tool's table; the tool chooses which, and in which order.</summary>
/// <typeparam name="T">The options record of the tool.</typeparam>
/// <param name="table">The table to write into.</param>
/// <param name="get">The connection part of the tool's options.</param>
/// <param name="set">The tool's options with another connection part.</param>
internal sealed partial class ConnectionRows<T>(
    OptionTable<T> table, Func<T, ConnectionOptions> get, Func<T, ConnectionOptions, T> set)
    where T : class
{
    private static readonly (string, ConnectionKind)[] Kinds =
        [("socket", ConnectionKind.Socket), ("encrypted", ConnectionKind.Encrypted), ("websocket", ConnectionKind.WebSocket)];
    private static readonly (string, ConnectionKind)[] KindsInsideTls =
        [("socket", ConnectionKind.Socket), ("websocket", ConnectionKind.WebSocket)];
    private static readonly (string, CompressionKind)[] Compressions =
    [
        ("none", CompressionKind.None), ("zlib", CompressionKind.Zlib), ("lz4", CompressionKind.Lz4),
        ("0", CompressionKind.None), ("1", CompressionKind.Zlib), ("2", CompressionKind.Lz4),
    ];

    /// <summary>Adds <c>-connType</c>.</summary>
    /// <param name="label">Its label in the block of test inputs.</param>
    public void Kind(string label) =>
        table.Choice("-connType", "type", "connection type: socket, encrypted or websocket", Kinds,
            o => get(o).Kind, (o, v) => set(o, get(o) with { Kind = v }), "-c").As(label);

    /// <summary>Adds <c>-h</c>.</summary>
    public void Host() =>
        table.Text("-h", "host", "host to connect to", o => get(o).Host, (o, v) => set(o, get(o) with { Host = v })).As("Hostname");

    /// <summary>Adds <c>-p</c>.</summary>
    public void Port() =>
        Number("-p", "port", get(table.Defaults).IsServer ? "port to listen on, 0 for a free one" : "port to connect to",
            c => c.Port, (c, v) => c with { Port = v }).As("Port");

    /// <summary>Adds <c>-p</c> of a program that is server or client.</summary>
    public void PortOfEitherSide() =>
        Number("-p", "port", "port to listen on (0 for a free one) or to connect to", c => c.Port, (c, v) => c with { Port = v }).As("Port");

    /// <summary>Adds <c>-if</c>.</summary>
    public void Interface() =>
        Text("-if", "name", "network interface by name, address or host", c => c.InterfaceName, (c, v) => c with { InterfaceName = v })
            .As("Interface Name", o => get(o).InterfaceName ?? "(use default)");

    /// <summary>Adds <c>-tcpDelay</c>.</summary>
    public void TcpDelay() =>
        Switch("-tcpDelay", "let the system hold small writes back (Nagle)", c => c.TcpDelay, (c, v) => c with { TcpDelay = v })
            .As("Tcp_NoDelay", o => get(o).TcpDelay ? "No" : "Yes");

    /// <summary>Adds <c>-directWrite</c>.</summary>
    public void DirectWrite() =>
        Switch("-directWrite", "hand every message to the socket at once", c => c.DirectWrite, (c, v) => c with { DirectWrite = v })
            .As("Use Direct Writes");

    /// <summary>Adds <c>-highWaterMark</c>.</summary>
    public void HighWaterMark() =>
        Number("-highWaterMark", "bytes", "queued bytes from which a write flushes by itself, 0 for 32768",
            c => c.HighWaterMark, (c, v) => c with { HighWaterMark = v }).As("High Water Mark", o => Bytes(get(o).HighWaterMark));

    /// <summary>Adds <c>-sendBufSize</c> and <c>-recvBufSize</c>.</summary>
    public void SystemBuffers()
    {
        Number("-sendBufSize", "bytes", "send buffer of the system, 0 for its own choice",
            c => c.SendBufferBytes, (c, v) => c with { SendBufferBytes = v }).As("Send Buffer Size", o => Bytes(get(o).SendBufferBytes));
        Number("-recvBufSize", "bytes", "receive buffer of the system, 0 for its own choice",
            c => c.ReceiveBufferBytes, (c, v) => c with { ReceiveBufferBytes = v }).As("Recv Buffer Size", o => Bytes(get(o).ReceiveBufferBytes));
    }

    /// <summary>Adds <c>-sendTimeout</c> and <c>-recvTimeout</c>.</summary>
    public void Timeouts()
    {
        Number("-sendTimeout", "ms", "longest wait of a send, 0 for the system's own",
            c => c.SendTimeoutMillis, (c, v) => c with { SendTimeoutMillis = v }).As("Send Timeout", o => Millis(get(o).SendTimeoutMillis));
        Number("-recvTimeout", "ms", "longest wait of a receive, 0 for the system's own",
            c => c.ReceiveTimeoutMillis, (c, v) => c with { ReceiveTimeoutMillis = v })
            .As("Receive Timeout", o => Millis(get(o).ReceiveTimeoutMillis));
    }

    /// <summary>Adds <c>-outputBufs</c>.</summary>
    /// <param name="display">The value in the block of test inputs; null shows it as typed.</param>
    public void OutputBuffers(Func<T, string>? display = null) =>
        Number("-outputBufs", "n", "output buffers per connection", c => c.OutputBuffers, (c, v) => c with { OutputBuffers = v })
            .As("Output Buffers", display);

    /// <summary>Adds the option for the most output buffers.</summary>
    /// <param name="name">The name with one dash.</param>
    /// <param name="synonyms">Further names.</param>
    public void MaxOutputBuffers(string name, params string[] synonyms) =>
        Number(name, "n", "most output buffers per connection", c => c.MaxOutputBuffers, (c, v) => c with { MaxOutputBuffers = v }, synonyms)
            .As("Max Output Buffers");

    /// <summary>Adds <c>-inputBufs</c>.</summary>
    public void InputBuffers() =>
        Number("-inputBufs", "n", "input buffers per connection", c => c.InputBuffers, (c, v) => c with { InputBuffers = v })
            .As("Input Buffers");

    /// <summary>Adds <c>-maxFragmentSize</c>.</summary>
    public void MaxFragmentSize() =>
        Number("-maxFragmentSize", "bytes", "largest fragment that a server offers",
            c => c.MaxFragmentBytes, (c, v) => c with { MaxFragmentBytes = v }).As("Max Fragment Size");

    private static string Bytes(int value) => value > 0 ? $"{value} bytes" : "0(use default)";

    private static string Millis(int value) => value > 0 ? $"{value} ms" : "0(use default)";

    private OptionRow<T> Number(
        string name, string value, string help, Func<ConnectionOptions, int> read, Func<ConnectionOptions, int, ConnectionOptions> write,
        params string[] synonyms) =>
        table.Number(name, value, help, o => read(get(o)), (o, v) => set(o, write(get(o), v)), synonyms);

    private OptionRow<T> Text(
        string name, string value, string help, Func<ConnectionOptions, string?> read,
        Func<ConnectionOptions, string, ConnectionOptions> write, params string[] synonyms) =>
        table.Text(name, value, help, o => read(get(o)), (o, v) => set(o, write(get(o), v)), synonyms);

    private OptionRow<T> Switch(
        string name, string help, Func<ConnectionOptions, bool> read, Func<ConnectionOptions, bool, ConnectionOptions> write) =>
        table.Switch(name, help, o => read(get(o)), (o, v) => set(o, write(get(o), v)));
}
