using System.Text;

namespace PerfTools.Hosting.Control;

/// <summary>Reads one HTTP/1.1 request from bytes as they are received: its head, then the announced bytes of a body.</summary>
/// <remarks>No input makes it throw, and each byte is examined a fixed number of times, however the bytes are divided.</remarks>
/// <param name="hosts">The names by which a request may address the program; none for every name.</param>
internal sealed class HttpRequestReader(IReadOnlyList<string> hosts)
{
    /// <summary>Maximum bytes of a head.</summary>
    public const int MaxHeadBytes = 8 * 1024;

    private const int MinRoom = 1024;

    private byte[] _received = [];
    private int _filled;
    private int _searched; // no end of a head begins before
    private HttpRequestHead? _head;
    private ChunkedBody? _chunks;
    private int _headBytes;
    private long _examined;

    /// <summary>The buffer for the next bytes; never empty.</summary>
    public Memory<byte> Room
    {
        get
        {
            if (_filled == _received.Length)
                Array.Resize(ref _received, Math.Max(MinRoom, 2 * _received.Length));
            return _received.AsMemory(_filled);
        }
    }

    /// <summary>True once the head is complete.</summary>
    public bool HasHead => _head is not null;

    /// <summary>True when the client waits for the interim reply before it sends its body.</summary>
    public bool AwaitsContinue => _head is { ExpectsContinue: true } && Request is null && _filled == _headBytes;

    /// <summary>The request, once it is complete.</summary>
    public ControlRequest? Request { get; private set; }

    /// <summary>The refusal of the request; null for one that is accepted, or not complete.</summary>
    public ControlReply? Refusal { get; private set; }

    /// <summary>True when nothing more is to be read.</summary>
    public bool IsWhole => Request is not null || Refusal is not null;

    /// <summary>Number of bytes examined so far, some of them twice.</summary>
    public long BytesExamined => _examined + (_chunks?.BytesExamined ?? 0);

    /// <summary>Processes bytes that were received into <see cref="Room"/>.</summary>
    public void Advance(int bytes)
    {
        _filled += bytes;
        if (_head is null && !IsWhole)
            ReadHead();
        if (_head is not null && !IsWhole)
            ReadBody(_head);
    }

    private void ReadHead()
    {
        ReadOnlySpan<byte> found = _received.AsSpan(_searched, _filled - _searched);
        _examined += found.Length;
        int end = found.IndexOf("\r\n\r\n"u8);
        _headBytes = _searched + end + 4;
        if (end < 0 ? _filled > MaxHeadBytes : _headBytes > MaxHeadBytes)
        {
            Refusal = ControlReply.Refuse(ControlReply.HeadTooLarge, $"the head of a request has at most {MaxHeadBytes} bytes");
            return;
        }

        if (end < 0)
        {
            _searched = Math.Max(0, _filled - 3); // an end may have begun
            return;
        }

        _examined += _headBytes;
        HttpRequestHead head = HttpRequestHead.Read(Encoding.Latin1.GetString(_received, 0, _headBytes), hosts);
        Refusal = head.Refusal;
        _head = head;
        _chunks = head.IsChunked ? new ChunkedBody() : null;
    }

    private void ReadBody(HttpRequestHead head)
    {
        ReadOnlySpan<byte> rest = _received.AsSpan(_headBytes, _filled - _headBytes);
        if (_chunks is not null)
        {
            if (_chunks.TryRead(rest) is { } problem)
                Refusal = ControlReply.Refuse(ControlReply.BadRequest, problem);
            else if (_chunks.IsWhole || _chunks.IsTooLarge)
                Request = Create(head, _chunks.IsTooLarge ? null : _chunks.Text);
        }
        else if (head.BodyBytes > ControlRequest.MaxBodyBytes)
        {
            Request = Create(head, null); // its body is not awaited
        }
        else if (rest.Length >= head.BodyBytes)
        {
            Request = Create(head, Encoding.UTF8.GetString(rest[..(int)head.BodyBytes]));
        }
    }

    private static ControlRequest Create(HttpRequestHead head, string? body) =>
        new(head.Method, head.Path) { Authorization = head.Authorization, Own = head.Own, Body = body };
}
