using PerfCommon.Transport;

namespace Fuzz.Targets;

/// <summary>Bytes before the first frame: requests at a server, answers at a client.</summary>
internal static class HandshakeTarget
{
    private static readonly ListenOptions Listen = new()
    {
        Port = 0,
        ProtocolType = RsslProtocol.Rwf,
        CompressionType = CompressionType.Lz4
    };
    private static readonly ConnectOptions Connect = new() { Host = "localhost", Port = 0, ProtocolType = RsslProtocol.Rwf };
    private static readonly int[] Versions = [11, 12, 13, 14];

    public static void ReadAsServer(ReadOnlySpan<byte> input, ref FuzzTurns turns) =>
        Read(new ServerHandshake(Listen, null), input, ref turns);

    public static void ReadAsClient(ReadOnlySpan<byte> input, ref FuzzTurns turns)
    {
        foreach (int version in Versions)
            Read(new ClientHandshake(Connect, version, ""), input, ref turns);
    }

    public static IEnumerable<byte[]> CreateRequests() => Versions.Select(CreateRequest);

    public static IEnumerable<byte[]> CreateAnswers()
    {
        foreach (int version in Versions)
        {
            byte[] reply = new byte[HandshakeLayout.BufferBytes];
            new ServerHandshake(Listen, null).Feed(CreateRequest(version), out _, reply, out int bytes);
            yield return reply[..bytes];
        }

        byte[] nak = new byte[HandshakeLayout.BufferBytes];
        yield return nak[..ConnectNak.Write("Too many connections.", nak)];
    }

    private static byte[] CreateRequest(int version)
    {
        byte[] request = new byte[HandshakeLayout.BufferBytes];
        return request[..new ClientHandshake(Connect, version, "127.0.0.1").Begin(request)];
    }

    private static void Read(Handshake handshake, ReadOnlySpan<byte> input, ref FuzzTurns turns)
    {
        Span<byte> reply = stackalloc byte[HandshakeLayout.BufferBytes];
        while (true)
        {
            turns.Take();
            HandshakeStep step = handshake.Feed(input[..Math.Min(input.Length, HandshakeLayout.BufferBytes)], out int consumed, reply,
                out int replyBytes);
            FuzzTurns.Demand(consumed >= 0 && consumed <= input.Length && replyBytes >= 0 && replyBytes <= reply.Length,
                "a length that cannot be");
            input = input[consumed..];
            if (step != HandshakeStep.NeedMore || consumed == 0)
                return;
        }
    }
}
